"""Runs one MPI program, and ends all of its processes when it takes too long."""
import os
import signal
import subprocess
import time
import uuid

MARK = "QUADRILLE_SUITES_RUN"  # in the environment of all processes of a run


def processes_of(mark):
    """A launcher may have given its processes sessions of their own."""
    wanted = f"{MARK}={mark}".encode()
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    if wanted in file.read().split(b"\0"):
                        yield int(entry)
            except OSError:
                pass  # it has ended meanwhile


def end(mark):
    for which, wait in [(signal.SIGTERM, 1.0), (signal.SIGKILL, 0.2)]:
        for process in processes_of(mark):
            try:
                os.kill(process, which)
            except ProcessLookupError:
                pass
        time.sleep(wait)


def run(command, seconds, where):
    """Its exit status (None: it took too long), standard output, errors, and seconds."""
    mark = uuid.uuid4().hex
    begin = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               errors="replace", cwd=where, start_new_session=True,
                               env={**os.environ, MARK: mark})
    try:
        out, err = process.communicate(timeout=seconds)
        status = process.returncode
    except subprocess.TimeoutExpired:
        end(mark)
        out, err = process.communicate()
        status = None
    if any(processes_of(mark)):  # what outlives its launcher
        end(mark)
    return status, out, err, time.monotonic() - begin
