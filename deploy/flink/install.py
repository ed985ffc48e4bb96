"""What a Flink cluster on this machine needs, fetched once: Beam's job server by Maven, Flink's jars by pip.

Both land in a cache outside the source tree: $DANUBIA_CACHE, else $XDG_CACHE_HOME/danubia, else ~/.cache/danubia.
`python -m deploy.flink.install` fetches them and says where they are. The versions are those of pom.xml.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

HERE: Final = Path(__file__).parent
POM: Final = HERE / "pom.xml"
LEAST_JAVA: Final = 11
BUILD_SECONDS: Final = 1200  # a minute of work; the rest is what 300 MB of jars may take to come
MAVEN_OPTIONS: Final = ("-B", "-q", "-Dmaven.wagon.http.retryHandler.count=5")
NAMESPACE: Final = {"m": "http://maven.apache.org/POM/4.0.0"}


class InstallError(RuntimeError):
    """Something that the cluster needs is missing or could not be made; the message says what."""


@dataclass(frozen=True, slots=True)
class Versions:
    """What pom.xml pins: Flink's version, the job server's Beam version, the digest of Flink's jars on PyPI."""

    flink: str
    beam: str
    libraries_sha256: str


@dataclass(frozen=True, slots=True)
class Installed:
    """Where things are: the job server's jar, and the folder that holds Flink's `lib` and `bin`."""

    job_server: Path
    flink: Path


def read_versions(pom: Path = POM) -> Versions:
    """Read the versions out of the pom."""
    properties = ElementTree.parse(pom).getroot().find("m:properties", NAMESPACE)
    if properties is None:
        raise InstallError(f"{pom} names no versions")
    texts = {child.tag.partition("}")[2]: (child.text or "").strip() for child in properties}
    return Versions(texts["flink.version"], texts["beam.version"], texts["flink.libraries.sha256"])


def cache_folder() -> Path:
    """Give the folder for what is fetched."""
    if os.environ.get("DANUBIA_CACHE"):
        return Path(os.environ["DANUBIA_CACHE"]).absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "danubia"


def find_java() -> str:
    """Give the path of a Java that is new enough. Raises InstallError when there is none."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=f"{home}/bin" if home else None) or shutil.which("java")
    if java is None:
        raise InstallError(f"Flink needs Java {LEAST_JAVA} or newer (tried with 17): no `java` on PATH, no JAVA_HOME")
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False, timeout=60)
    found = re.search(r'version "(\d+)(?:\.(\d+))?', told.stderr + told.stdout)
    version = int(found[2] or 0 if found[1] == "1" else found[1]) if found else 0
    if version < LEAST_JAVA:
        raise InstallError(f"Flink needs Java {LEAST_JAVA} or newer (tried with 17): {java} is version {version}")
    return java


def install() -> Installed:
    """Give the job server and Flink's jars, fetching what is not there yet. Raises InstallError."""
    find_java()
    versions = read_versions()
    with ThreadPoolExecutor(2) as pool:
        job_server = pool.submit(build_job_server, versions)
        flink = pool.submit(install_flink, versions)
        return Installed(job_server.result(), flink.result())


def build_job_server(versions: Versions) -> Path:
    """Build the job server's jar from pom.xml, unless one of this very pom is there."""
    digest = hashlib.sha256(POM.read_bytes()).hexdigest()[:8]
    jar = cache_folder() / f"job-server-beam-{versions.beam}-flink-{versions.flink}-{digest}.jar"
    if jar.exists():
        return jar
    maven = shutil.which("mvn")
    if maven is None:
        raise InstallError("Beam's job server is built by Maven: no `mvn` on PATH (Debian and Ubuntu: package maven)")
    with new_folder(jar) as folder:
        shutil.copy(POM, folder)
        run_step([maven, *MAVEN_OPTIONS, "-f", str(folder / "pom.xml"), "package"], "building the job server")
        (folder / "target" / "job-server.jar").replace(jar)
    return jar


def install_flink(versions: Versions) -> Path:
    """Unpack Flink's jars as PyPI has them, without what else that package would bring."""
    target = cache_folder() / f"flink-{versions.flink}-{versions.libraries_sha256[:8]}"
    if not target.exists():
        with new_folder(target) as folder:
            pin = folder / "requirements.txt"
            pin.write_text(f"apache-flink-libraries=={versions.flink} --hash=sha256:{versions.libraries_sha256}\n")
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
            command = [*pip, "--require-hashes", "--target", str(folder / "flink"), "-r", str(pin)]
            run_step(command, "installing Flink's jars")
            (folder / "flink").replace(target)
    return target / "pyflink"


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Give a fresh folder beside `target`, from which the finished thing is moved in one go."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".making-", dir=target.parent) as name:
        yield Path(name)


def run_step(command: Sequence[str], what: str, environment: Mapping[str, str] | None = None) -> None:
    """Carry out one command. Raises InstallError, with the end of what it said, when it fails or takes too long."""
    try:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", check=False, timeout=BUILD_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise InstallError(f"{what} took more than {BUILD_SECONDS} s") from None
    if done.returncode:
        raise InstallError(f"{what} failed (exit status {done.returncode}):\n{done.stdout[-3000:]}")


if __name__ == "__main__":
    try:
        found = install()
        print(found.job_server, found.flink, sep="\n")
    except InstallError as error:
        sys.exit(f"python -m deploy.flink.install: {error}")
