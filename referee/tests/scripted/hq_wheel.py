"""HyperQueue by its Python wheel, which has no program `hq`: a server with workers, and the three
commands of `hq` that `referee submit` uses.

    hq_wheel.py serve WORKERS             until its input ends; prints its folder when it is ready
    hq_wheel.py hq FOLDER ARGUMENTS...    what `hq ARGUMENTS` would do with this server
"""

import json
import sys

from hyperqueue import Client, Job, LocalCluster
from hyperqueue.cluster import WorkerConfig


def serve(workers):
    with LocalCluster() as cluster:
        for _ in range(workers):
            cluster.start_worker(WorkerConfig(cores=1))
        print("folder:", cluster.cluster.server_dir, flush=True)
        sys.stdin.read()


def submit(client, words):
    options = words[: words.index("--")]
    command = words[words.index("--") + 1 :]
    value = dict(zip(options[::2], options[1::2]))
    first, last = map(int, value["--array"].split("-"))
    job = Job(name=value["--name"], max_fails=None)
    for task in range(first, last + 1):
        stderr = value["--stderr"].replace("%{TASK_ID}", str(task))
        job.program([*command, str(task)], stdout=None, stderr=stderr)
    print(json.dumps({"id": client.submit(job).id}))


class Seen(Exception):
    pass


def info(client, job):
    states = {}

    def look(jobs):
        states.update(jobs[job])
        raise Seen

    try:
        client.connection.wait_for_jobs([job], look)
        ended = True
    except Seen:
        ended = states["completed"]
    print(json.dumps([{"info": {"task_stats": {"running": 0 if ended else 1, "waiting": 0}}}]))


def hq(folder, words):
    assert words[:2] == ["--output-mode", "json"], words
    client = Client(folder)
    match words[2:]:
        case ["submit", *rest]:
            submit(client, rest)
        case ["job", "info", job]:
            info(client, int(job))
        case other:
            sys.exit(f"unknown: {other}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve", workers]:
            serve(int(workers))
        case ["hq", folder, *words]:
            hq(folder, words)
