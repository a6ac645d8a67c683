# Two stages work, the last one only receives: it holds the locked dependencies and the wheel, no source tree,
# no compiler and no pip of its own. Run it read-only:
#   docker build -t homolog .
#   docker run --read-only --tmpfs /tmp --cap-drop ALL -v register:/data -p 127.0.0.1:8000:8000 homolog
# All that is kept lies in the volume /data. A folder of the host in its place must belong to user 10001.

FROM python:3.11-slim AS wheel
WORKDIR /build
COPY requirements-dev.lock ./
RUN python -m pip install --no-cache-dir --require-hashes -r requirements-dev.lock
COPY pyproject.toml README.md LICENSE ./
COPY homolog homolog
COPY api api
COPY specs specs
COPY templates templates
RUN python -m build --no-isolation --wheel --outdir /wheel

FROM python:3.11-slim AS environment
COPY requirements.lock /tmp/requirements.lock
RUN python -m venv --without-pip /opt/homolog \
 && python -m pip --python /opt/homolog/bin/python install --no-cache-dir --require-hashes -r /tmp/requirements.lock
COPY --from=wheel /wheel /wheel
RUN mkdir /data
RUN python -m pip --python /opt/homolog/bin/python install --no-cache-dir --no-index --no-deps /wheel/*.whl

FROM python:3.11-slim
LABEL org.opencontainers.image.title="Homolog" \
      org.opencontainers.image.description="Open checker for the equipment of sports table football" \
      org.opencontainers.image.licenses="MIT"
COPY --from=environment /opt/homolog /opt/homolog
# A new volume takes the owner of what it covers.
COPY --from=environment --chown=10001:10001 /data /data
VOLUME /data
ENV PATH=/opt/homolog/bin:$PATH \
    HOMOLOG_DATA=/data \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
WORKDIR /tmp
# By number: an orchestrator can verify that it is not root without reading the image's user table.
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["homolog", "serve", "--host", "0.0.0.0", "--port", "8000"]
