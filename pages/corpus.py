"""Put files into the library, watch them arrive, take them out again."""

from core.i18n.messages import t
from core.ui.corpus import document_list, enrichment_panel, machine_files, upload_panel
from core.ui.shared import session, st

with session.Guard():
    st.title(t("Corpus"), anchor=False)
    upload_panel.add()
    upload_panel.jobs()
    document_list.show()
    enrichment_panel.panel()
    machine_files.panel()
