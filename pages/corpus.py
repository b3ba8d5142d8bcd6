"""Put files into the library, watch them arrive, take them out again."""

from core.i18n.messages import t
from core.ui.corpus import document_list, documents_page, enrichment_panel, machine_files
from core.ui.shared import session, st

with session.Guard():
    st.title(t("Corpus"), anchor=False)
    documents_page.add()
    documents_page.jobs()
    document_list.show()
    enrichment_panel.panel()
    machine_files.panel()
