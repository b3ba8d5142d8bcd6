"""What every package needs to know of written language, and vocabularies as data.

Words: tokens, sentences, word_lists, brackets, list_items, phrase_table, compounds.
Languages: languages, english, english_words, chinese_words, chinese_english, measure_words, locales,
  glossary.
Values: quantities, periods, clock_times, how_often, dated_values, dated_changes, value_order, series_names.
Names: proper_names, person_names, title_names, codes, identifiers, filenames, file_kinds.
Questions: library_questions, thing_questions, open_references, topic_terms.
Texts as a whole: central_sentences, prompt_injection.
Shared by packages that do not know each other: maxsim (scores of late interaction), sql_quoting,
  private_cache. Lists of words: vocabulary.
"""
