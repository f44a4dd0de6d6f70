# Regatta's one image: web, worker, beat and the migrations run from it (docs/running.md, "Containers").

FROM python:3.11-slim-bookworm AS build

# gettext compiles the translations; it stays behind in this stage.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends gettext \
 && rm -rf /var/lib/apt/lists/*

ENV PATH=/opt/regatta/bin:$PATH
RUN python -m venv /opt/regatta
COPY requirements.lock /srv/regatta/
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes -r /srv/regatta/requirements.lock

WORKDIR /srv/regatta
COPY manage.py LICENSE ./
COPY portal portal
COPY tasks_board tasks_board
COPY claims claims
COPY rewards rewards
COPY templates templates
COPY static static
COPY locale locale

# The shared settings need no secrets, and these two steps need nothing else.
RUN DJANGO_SETTINGS_MODULE=portal.settings.base python manage.py compilemessages --verbosity 0
RUN DJANGO_SETTINGS_MODULE=portal.settings.base python manage.py collectstatic --no-input --verbosity 0
RUN python -m compileall -q portal tasks_board claims rewards


FROM python:3.11-slim-bookworm

# Beat keeps its memory of past runs in /var/lib/regatta; everything else may be read-only.
RUN groupadd --gid 10001 regatta \
 && useradd --uid 10001 --gid regatta --home-dir /srv/regatta --no-create-home --shell /usr/sbin/nologin regatta \
 && install --directory --owner regatta --group regatta /var/lib/regatta

COPY --from=build /opt/regatta /opt/regatta
COPY --from=build /srv/regatta /srv/regatta

ENV PATH=/opt/regatta/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=portal.settings.production

WORKDIR /srv/regatta
USER 10001:10001
EXPOSE 8000

# The portal answers only to its own name, so the question has to carry it.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["python", "-c", "import http.client, os, sys; from urllib.parse import urlsplit; c = http.client.HTTPConnection('127.0.0.1:8000', timeout=4); c.request('GET', '/healthz', headers={'Host': urlsplit(os.environ['SITE_URL']).netloc}); sys.exit(c.getresponse().status != 200)"]

# The access log leaves queries out: they carry sign-in codes and what people searched for.
CMD ["gunicorn", "portal.wsgi:application", \
     "--bind=0.0.0.0:8000", "--worker-class=gthread", "--workers=2", "--threads=8", \
     "--timeout=60", "--graceful-timeout=30", "--keep-alive=5", "--no-control-socket", \
     "--access-logfile=-", "--access-logformat=%(h)s %(m)s %(U)s %(s)s %(B)s %(M)sms"]
