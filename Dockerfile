# tamper as an image: docker build -t tamper . && docker run --rm -v "$PWD:/work" tamper classify model.xml
FROM rust:1-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo install --locked --path . --root /out
FROM debian:bookworm-slim
COPY --from=build /out/bin/tamper /usr/local/bin/tamper
WORKDIR /work
ENTRYPOINT ["tamper"]
