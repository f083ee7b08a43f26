import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { readConfig } from '../server/platform/config/config.ts'

// The schemas of Kubernetes are too large to be installed with every checkout; the file was checked by them when it changed.

type Named = { name: string }
type Probe = { httpGet: { path: string; port: string } }
type Container = {
  env: { name: string; value: string }[]
  ports: { name: string; containerPort: number }[]
  readinessProbe: Probe
  livenessProbe: Probe
  securityContext: {
    readOnlyRootFilesystem: boolean
    allowPrivilegeEscalation: boolean
    capabilities: { drop: string[] }
  }
  volumeMounts: (Named & { mountPath: string })[]
}
type Pod = {
  securityContext: { runAsNonRoot: boolean; runAsUser: number }
  terminationGracePeriodSeconds: number
  containers: [Container]
  volumes: Named[]
}
type Labels = { [label: string]: string }
type Item = { kind: string; metadata: Named; data: Labels; spec: Record<string, unknown> }

const { items } = parse(readFileSync(new URL('kubernetes.yaml', import.meta.url), 'utf8')) as { items: Item[] }
const ofKind = (kind: string) => items.filter((item) => item.kind === kind)
const processes = ofKind('Deployment').map(({ spec }) => {
  const { metadata, spec: pod } = spec.template as { metadata: { labels: Labels }; spec: Pod }
  const [container] = pod.containers
  const given = container.env.map(({ name, value }) => [name, value])
  return { spec, labels: metadata.labels, pod, container, variables: Object.fromEntries(given) }
})

test('web processes and a worker start with the variables they are given', () => {
  assert.deepEqual(
    processes.map(({ variables }) => variables.PROCESS_ROLE),
    ['web', 'worker'],
  )
  const secret = { DATABASE_URL: 'postgres://tributary:x@db.example/tributary', SECRET_KEY: `${'A'.repeat(43)}=` }
  const image = { HOST: '0.0.0.0', PORT: '3000', DATA_DIR: '/data' }
  for (const { variables } of processes)
    assert.doesNotThrow(() => readConfig({ ...image, ...ofKind('ConfigMap')[0]!.data, ...secret, ...variables }))
})

test('every process is an ordinary user who writes only to its mounts, has time to stop, and is asked how it is', () => {
  for (const { pod, container } of processes) {
    assert.deepEqual([pod.securityContext.runAsNonRoot, pod.securityContext.runAsUser], [true, 1000])
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.ok(pod.terminationGracePeriodSeconds > 30)
    assert.deepEqual(
      [container.readinessProbe, container.livenessProbe].map(({ httpGet }) => httpGet.path),
      ['/health/ready', '/health/live'],
    )
    const mounted = container.volumeMounts.map(({ name }) => name)
    assert.deepEqual(
      mounted,
      pod.volumes.map(({ name }) => name),
    )
    for (const path of ['/data', '/tmp']) assert.ok(container.volumeMounts.some(({ mountPath }) => mountPath === path))
  }
})

test('calls reach the web processes alone', () => {
  const [service] = ofKind('Service')
  const selected = processes.filter(({ labels }) =>
    Object.entries(service!.spec.selector as Labels).every(([label, value]) => labels[label] === value),
  )
  assert.deepEqual(
    selected.map(({ variables }) => variables.PROCESS_ROLE),
    ['web'],
  )
  for (const { spec, labels } of processes)
    assert.deepEqual((spec.selector as { matchLabels: Labels }).matchLabels, labels)
})
