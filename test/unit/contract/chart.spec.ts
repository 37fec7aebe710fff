import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

// What Helm makes of the chart, checked by Kubernetes' own schemas. CI has both; here they are left out if they are not installed:
//   go install helm.sh/helm/v3/cmd/helm@latest sigs.k8s.io/kubectl-validate@latest

const CHART = path.join(import.meta.dirname, "../../../deploy/helm/parley");
const KUBERNETES = "1.30.0";
const run = (program: string, args: string[]) => spawnSync(program, args, { encoding: "utf8" });
const isThere = (program: string, ...args: string[]): boolean => run(program, args).status === 0;
const HELM = isThere("helm", "version");
const VALIDATE = isThere("kubectl-validate", "--help");

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-chart-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const REQUIRED = "existingSecret=parley,publicUrl=https://parley.example.com";
const render = (values: string) =>
  run("helm", ["template", "parley", CHART, "--kube-version", KUBERNETES, "--set", values]);

/** The kinds beside a service, a deployment, a migration and a budget for disruptions. */
const INSTALLATIONS = {
  "as it comes": ["", ["NetworkPolicy", "PersistentVolumeClaim"]],
  "with attachments in S3": [
    "attachments.s3=true,settings.S3_BUCKET=files,serviceAccountName=parley",
    ["NetworkPolicy"],
  ],
  "with an existing claim and a pinned image": [
    "attachments.existingClaim=files,image.tag=0.1.0@sha256:0123",
    ["NetworkPolicy"],
  ],
  "with autoscaling": [
    "autoscaling.enabled=true,networkPolicy.enabled=false,attachments.storageClass=nfs",
    ["HorizontalPodAutoscaler", "PersistentVolumeClaim"],
  ],
} as const;

test.skipIf(!HELM || !VALIDATE).each(Object.entries(INSTALLATIONS))(
  "the chart %s is what Kubernetes takes",
  (name, [values, kinds]) => {
    const { status, stdout, stderr } = render(`${REQUIRED},${values}`);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    const made = Array.from(stdout.matchAll(/^kind: (.+)$/gm), ([, kind]) => kind);
    expect(made.sort()).toEqual([...kinds, "Deployment", "Job", "PodDisruptionBudget", "Service"].sort());
    const file = path.join(folder, `${name}.yaml`);
    fs.writeFileSync(file, stdout);
    const checked = run("kubectl-validate", ["--version", KUBERNETES.replace(/\.\d+$/, ""), file]);
    expect(checked.status, checked.stdout + checked.stderr).toBe(0);
  },
);

test.skipIf(!HELM)("the chart has what the Prometheus Operator reads, if it is asked for", () => {
  const { stdout } = render(`${REQUIRED},serviceMonitor.enabled=true,prometheusRule.enabled=true`);
  expect(stdout).toMatch(/^kind: ServiceMonitor$/m);
  expect(stdout.match(/^ +- alert: /gm)).toHaveLength(10);
});

test.skipIf(!HELM)("the chart refuses what it does not know, and what is missing", () => {
  expect(render(`${REQUIRED},replica=3`).stderr).toContain("'replica' not allowed");
  expect(render("existingSecret=parley").stderr).toContain("publicUrl");
  expect(render("publicUrl=https://parley.example.com").stderr).toContain("existingSecret");
});
