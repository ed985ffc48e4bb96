#!/usr/bin/env bash
# Danubia on Dataflow; README.md beside this file tells which figures the machine options come from.
#   launch.sh images             build and push the two images
#   launch.sh template           describe the template in the bucket, for `run` and for the console
#   launch.sh run NAME=VALUE…    start a job from the template and come back (parameters: metadata.json)
#   launch.sh submit OPTION…     start a job from this machine, await its end, give the reckoning (options: docs/running.md)
# PROJECT, REGION, BUCKET (no gs://) and IMAGE (REGION-docker.pkg.dev/PROJECT/REPOSITORY) must be set; the rest may be:
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

TAG="${TAG:-latest}"                     # of both images
MACHINE="${MACHINE:-n2-standard-4}"      # a process for each core; 4 GB a core is twice what it needs
WORKERS="${WORKERS:-2}"                  # at first
MAX_WORKERS="${MAX_WORKERS:-50}"         # the bound of what a job costs an hour
AUTOSCALING="${AUTOSCALING:-THROUGHPUT_BASED}" # or NONE: WORKERS from beginning to end
DISK_GB="${DISK_GB:-50}"                 # the image, and the rows of one range for each core
THREADS="${THREADS:-1}"                  # ranges at a time in a process: each has a child of its own
FLEXRS="${FLEXRS:-}"                     # COST_OPTIMIZED: cheaper machines, start within six hours
EXPERIMENTS="${EXPERIMENTS:-}"           # comma-separated
SUBNETWORK="${SUBNETWORK:-}"             # full URL; workers then have no public addresses
SERVICE_ACCOUNT="${SERVICE_ACCOUNT:-}"   # of the workers; empty: the project's default
JOB="${JOB:-danubia-$(date -u +%Y%m%d-%H%M%S)}"
PYTHON="${PYTHON:-python}"

die() {
  echo "launch.sh: $1" >&2
  exit 2
}

need() {
  local name
  for name in "$@"; do
    [[ -n "${!name:-}" ]] || die "${name} must be set: see the head of this script"
  done
}

build_images() {
  need IMAGE
  docker build -f deploy/dataflow/Dockerfile --target worker -t "${IMAGE}/worker:${TAG}" .
  docker build -f deploy/dataflow/Dockerfile --target template --build-arg "WORKER_IMAGE=${IMAGE}/worker:${TAG}" \
    -t "${IMAGE}/template:${TAG}" .
  docker push "${IMAGE}/worker:${TAG}"
  docker push "${IMAGE}/template:${TAG}"
}

build_template() {
  need PROJECT BUCKET IMAGE
  gcloud dataflow flex-template build "gs://${BUCKET}/templates/danubia-${TAG}.json" --project="${PROJECT}" \
    --image="${IMAGE}/template:${TAG}" --sdk-language=PYTHON --metadata-file=deploy/dataflow/metadata.json
}

run_template() {
  need PROJECT REGION BUCKET IMAGE
  local parameter
  local options=(
    --project="${PROJECT}"
    --region="${REGION}"
    --template-file-gcs-location="gs://${BUCKET}/templates/danubia-${TAG}.json"
    --staging-location="gs://${BUCKET}/staging"
    --temp-location="gs://${BUCKET}/temp"
    --worker-machine-type="${MACHINE}"
    --num-workers="${WORKERS}"
    --max-workers="${MAX_WORKERS}"
    --parameters="autoscaling_algorithm=${AUTOSCALING}"
    --parameters="disk_size_gb=${DISK_GB}"
    --parameters="number_of_worker_harness_threads=${THREADS}"
    --parameters="sdk_container_image=${IMAGE}/worker:${TAG}"
  )
  [[ -z "${FLEXRS}" ]] || options+=(--flexrs-goal="${FLEXRS}")
  [[ -z "${EXPERIMENTS}" ]] || options+=(--additional-experiments="${EXPERIMENTS}")
  [[ -z "${SUBNETWORK}" ]] || options+=(--subnetwork="${SUBNETWORK}" --disable-public-ips)
  [[ -z "${SERVICE_ACCOUNT}" ]] || options+=(--service-account-email="${SERVICE_ACCOUNT}")
  for parameter in "$@"; do
    [[ "${parameter}" == [a-z]*=* ]] || die "${parameter}: parameters have the form name=value"
    options+=(--parameters="^|^${parameter}") # commas are the value's own
  done
  exec gcloud dataflow flex-template run "${JOB}" "${options[@]}"
}

submit_job() {
  need PROJECT REGION BUCKET IMAGE
  local options=(
    --runner=DataflowRunner
    --project="${PROJECT}"
    --region="${REGION}"
    --job_name="${JOB}"
    --staging_location="gs://${BUCKET}/staging"
    --temp_location="gs://${BUCKET}/temp"
    --sdk_container_image="${IMAGE}/worker:${TAG}"
    --sdk_location=container
    --worker_machine_type="${MACHINE}"
    --num_workers="${WORKERS}"
    --max_num_workers="${MAX_WORKERS}"
    --autoscaling_algorithm="${AUTOSCALING}"
    --disk_size_gb="${DISK_GB}"
    --number_of_worker_harness_threads="${THREADS}"
  )
  [[ -z "${FLEXRS}" ]] || options+=(--flexrs_goal="${FLEXRS}")
  [[ -z "${EXPERIMENTS}" ]] || options+=(--experiments="${EXPERIMENTS}")
  [[ -z "${SUBNETWORK}" ]] || options+=(--subnetwork="${SUBNETWORK}" --no_use_public_ips)
  [[ -z "${SERVICE_ACCOUNT}" ]] || options+=(--service_account_email="${SERVICE_ACCOUNT}")
  exec "${PYTHON}" -m pipelines.extract "${options[@]}" "$@"
}

command="${1:-}"
shift || true
case "${command}" in
  images) build_images ;;
  template) build_template ;;
  run) run_template "$@" ;;
  submit) submit_job "$@" ;;
  help | --help | -h) sed -n '2,/^PYTHON=/{/^set \|^cd /d;s/^# \{0,1\}//;p}' deploy/dataflow/launch.sh ;;
  *) die "give one of images, template, run, submit; or help" ;;
esac
