"""Wisdom files with the results of trials, as the drop-in and the command read them."""

HEADER = "quadrille wisdom 1\n"


def checksum(text):
    total = 0xcbf29ce484222325
    for byte in text.encode():
        total = (total ^ byte) * 0x100000001b3 % 2**64
    return f"{total:016x}"


def write(path, mpi, topology, segment, results):
    write_all(path, mpi, [topology], segment, results)


def write_all(path, mpi, topologies, segment, results):
    """`results`: (operation, size class, choice, seconds of MPI's own, seconds of the choice), on each topology."""
    lines = []
    for operation, size, choice, native, chosen in results:
        sizes = "any" if operation == "alltoallv" else f"{2**size // 2}..{2**size - 1}"
        lines += [f"trial {operation} {topology} bytes={sizes} mpi={mpi.replace(' ', '_')} segment={segment} "
                  f"choice={choice} native={native:g} chosen={chosen:g}\n" for topology in topologies]
    text = HEADER + "".join(sorted(set(lines)))
    with open(path, "w") as file:
        file.write(f"{text}end {text.count(chr(10)) - 1} {checksum(text)}\n")


def trials(path):
    """What trials have found: for each the operation, first and last size, the choice."""
    with open(path) as file:
        lines = file.read().splitlines()
    found = []
    for line in lines:
        words = line.split(" ")
        if words[0] == "trial":
            values = dict(word.split("=", 1) for word in words[3:])
            first, _, last = values["bytes"].partition("..")
            found.append({"operation": words[1], "from": int(first) if last else 0,
                          "to": int(last) if last else 2**62, "choice": values["choice"]})
    return found
