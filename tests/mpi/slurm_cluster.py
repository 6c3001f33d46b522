"""A cluster of SLURM on emulated hosts: a host to log in and the nodes are network namespaces of the lab, each with its
daemon. Nothing of the machine's own SLURM is read or written. All daemons are children of this process."""
import os
import shutil
import signal
import subprocess
import tempfile
import time

DAEMONS = ["munged", "slurmctld", "slurmd", "sbatch", "srun", "scancel", "sinfo", "squeue", "scontrol"]
SETTINGS = """ClusterName=quadrille
SlurmctldHost={login}({login_address})
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort=17500
SlurmdPort=17501
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n/pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n/log
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n/spool
TmpFS={folder}/%n/tmp
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
"""


def missing():
    """What is not there, in words, or nothing."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
    absent = [name for name in DAEMONS if not shutil.which(name, path=path)]
    if absent:
        return f"no {', '.join(absent)} (Debian: slurmctld, slurmd, slurm-client, munge, slurm-wlm-basic-plugins)"
    return "" if os.geteuid() == 0 else "networks of namespaces are root's to make"


class Cluster:
    def __init__(self, lab, nodes):
        self.lab, self.count, self.running = lab, nodes, []
        self.folder = tempfile.mkdtemp(prefix="quadrille-slurm-")
        os.chmod(self.folder, 0o755)  # jobs are another user's
        self.home = os.path.join(self.folder, "home")
        os.mkdir(self.home)
        os.chmod(self.home, 0o777)

    def in_lab(self, verb, *words):
        return [self.lab, verb, "--state", os.path.join(self.folder, "lab"), *words]

    def made(self):
        """Whether the network is there, or what was said."""
        done = subprocess.run([*self.in_lab("up", f"crossbar:{self.count + 1}"), "--rate", "200mbit"], capture_output=True,
                              text=True)
        return "" if done.returncode == 0 else done.stderr.strip()

    def name(self, host):
        return subprocess.run(self.in_lab("exec", str(host), "hostname"), capture_output=True, text=True,
                              check=True).stdout.strip()

    def started(self, host, *words):
        log = open(os.path.join(self.folder, f"{os.path.basename(words[0])}-{host}.out"), "w")
        self.running.append(subprocess.Popen(self.in_lab("exec", str(host), *words), stdout=log, stderr=log,
                                             env={**os.environ, "SLURM_CONF": self.settings,
                                                  "PATH": os.environ["PATH"] + ":/usr/sbin"}))

    def start(self):
        self.login, *self.nodes = [self.name(host) for host in range(self.count + 1)]
        self.settings = os.path.join(self.folder, "slurm.conf")
        with open(self.settings, "w") as file:
            file.write(SETTINGS.format(login=self.login, login_address="10.77.0.1", folder=self.folder))
            for i, node in enumerate(self.nodes):
                file.write(f"NodeName={node} NodeAddr=10.77.0.{i + 2} CPUs=4\n")
            file.write(f"PartitionName=all Nodes={','.join(self.nodes)} Default=YES MaxTime=60 State=UP\n")
        with open(os.path.join(self.folder, "cgroup.conf"), "w") as file:
            file.write("CgroupPlugin=cgroup/v1\n")  # none is used; to find out which there is needs /sys, which the lab's hosts lack
        for node in self.nodes:
            for part in ["spool", "tmp"]:
                os.makedirs(os.path.join(self.folder, node, part))
            os.chmod(os.path.join(self.folder, node, "tmp"), 0o1777)
        os.mkdir(os.path.join(self.folder, "state"))
        key = os.path.join(self.folder, "munge.key")
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o400), "wb") as file:
            file.write(os.urandom(128))
        of = [f"--{part}={self.folder}/munge.{end}" for part, end in [("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"),
                                                                      ("log-file", "log"), ("seed-file", "seed")]]
        self.started(0, "munged", "--foreground", "--force", *of)
        self.wait_for("munge's socket", lambda: os.path.exists(f"{self.folder}/munge.socket"))
        self.started(0, "slurmctld", "-D", "-i", "-f", self.settings)
        for host, node in enumerate(self.nodes, 1):
            self.started(host, "slurmd", "-D", "-N", node, "-f", self.settings)
        idle = ["sinfo", "-h", "-t", "idle", "-o", "%D"]
        self.wait_for(f"{self.count} idle nodes", lambda: self.on_login(idle, user=None)[0].strip() == str(self.count))

    def wait_for(self, what, there, seconds=60):
        end = time.monotonic() + seconds
        while not there():
            if time.monotonic() > end:
                raise SystemExit(f"waited {seconds} s for {what}\n{self.logs()}")
            time.sleep(0.1)

    def on_login(self, words, user="nobody", seconds=240, **environment):
        """What a user's command says there, and its status."""
        as_user = ["setpriv", f"--reuid={user}", "--regid=nogroup", "--clear-groups"] if user else []
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("SLURM", "OMPI_", "QUADRILLE"))}
        command = self.in_lab("exec", "0", *as_user, "env", "-C", self.home, *words)
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL,
                                  env={**kept, "SLURM_CONF": self.settings, "HOME": self.home, **environment})
            return done.stdout, done.stderr, done.returncode
        except subprocess.TimeoutExpired as late:
            return str(late.stdout), str(late.stderr), None

    def logs(self):
        said = []
        for where, _, names in os.walk(self.folder):
            for name in sorted(names):
                if name.endswith((".log", ".out")) or name == "log":
                    with open(os.path.join(where, name), errors="replace") as file:
                        said.append(f"{name}:\n{file.read()[-1500:]}")
        return "\n".join(said)

    def stop(self):
        if self.running:
            self.on_login(["scancel", "--full", "--state=RUNNING"], user=None, seconds=20)
        for process in reversed(self.running):
            process.send_signal(signal.SIGTERM)
        for process in self.running:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        subprocess.run(self.in_lab("down"), capture_output=True)  # ends what else runs on its hosts
        shutil.rmtree(self.folder, ignore_errors=True)
