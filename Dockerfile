# The app in a container: no root, nothing written but /data and /tmp. See docs/scale.md.
FROM python:3.11-slim-bookworm
ARG OFFICE=""
# OFFICE=1 adds LibreOffice, which reads old .doc and .ppt files.
RUN if [ -n "$OFFICE" ]; then apt-get update \
    && apt-get install -y --no-install-recommends libreoffice-writer-nogui libreoffice-impress-nogui \
    && rm -rf /var/lib/apt/lists/*; fi
RUN useradd --uid 10001 --create-home strata && install -d -o strata -m 0700 /data
WORKDIR /app
COPY pyproject.toml constraints.txt requirements.lock README.md LICENSE NOTICE ./
COPY core core
# The CPU build of torch; for a GPU build with TORCH_INDEX=https://pypi.org/simple. LOCKED=1 installs the files of
# requirements.lock and no others, each checked by its hash; torch is then PyPI's build, with CUDA.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
ARG LOCKED=""
RUN if [ -n "$LOCKED" ]; then \
        pip install --no-cache-dir --require-hashes --no-deps --requirement requirements.lock \
        && pip install --no-cache-dir --no-deps --no-build-isolation --editable . ; \
    else \
        pip install --no-cache-dir --constraint constraints.txt --index-url "$TORCH_INDEX" --no-deps torch \
        && pip install --no-cache-dir --constraint constraints.txt --editable '.[media,scale]' ; \
    fi && python -m compileall -q core
COPY app.py ./
COPY pages pages
COPY .streamlit .streamlit
COPY examples/fab examples/fab
USER strata
ENV STRATA_STORE__PATH=/data PYTHONDONTWRITEBYTECODE=1 HF_HUB_OFFLINE=1 HOME=/tmp
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=90s --retries=3 CMD ["python", "-c", \
  "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["strata", "run", "--address", "0.0.0.0"]
