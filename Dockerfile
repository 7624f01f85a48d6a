# tamper as an image: docker build -t tamper . && docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" tamper classify model.xml
# For a build that can be repeated, give both images by their digests: --build-arg RUST=rust@sha256:... --build-arg DEBIAN=debian@sha256:...
ARG RUST=rust:1.95-slim-bookworm
ARG DEBIAN=debian:bookworm-slim
FROM ${RUST} AS build
WORKDIR /src
COPY . .
RUN cargo install --locked --path . --root /out
FROM ${DEBIAN}
COPY --from=build /out/bin/tamper /usr/local/bin/tamper
RUN useradd --uid 1000 --create-home tamper
USER tamper
WORKDIR /work
ENTRYPOINT ["tamper"]
