import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const [single, beside, scaled] = ['compose.yaml', 'compose.postgres.yaml', 'compose.scaled.yaml'].map(read) as [
  string,
  string,
  string,
]

/** The services of a file by name, with the settings of `x-tributary` merged in. */
function servicesOf(file: string): Map<string, string> {
  const [, shared = ''] = /^x-tributary: &tributary\n((?: {2}.*\n)+)/m.exec(file) ?? []
  const [, all = ''] = /^services:\n((?: {2}.*\n|\n)+)/m.exec(file) ?? []
  const pieces = all.split(/^ {2}([\w-]+):\n/m).slice(1)
  const names = pieces.filter((_, at) => at % 2 === 0)
  return new Map(names.map((name, at) => [name, pieces[at * 2 + 1]!.replace('    <<: *tributary\n', shared)]))
}

test('each file has the services it documents', () => {
  assert.deepEqual([...servicesOf(single).keys()], ['tributary'])
  assert.deepEqual([...servicesOf(beside).keys()], ['tributary', 'database'])
  assert.deepEqual([...servicesOf(scaled).keys()], ['nginx', 'web-1', 'web-2', 'worker', 'database'])
  assert.match(servicesOf(scaled).get('worker')!, /PROCESS_ROLE: worker.*\n.*replicas: 2/)
})

test('every service restarts automatically and has time to stop; ours can write only to their data', () => {
  for (const file of [single, beside, scaled])
    for (const [name, service] of servicesOf(file)) {
      assert.match(service, /^ *restart: unless-stopped$/m, name)
      assert.match(service, /^ *stop_grace_period: 30s$/m, name)
      if (name === 'nginx' || name === 'database') continue
      for (const wanted of ['read_only: true', 'cap_drop: [ALL]', 'volumes: ["data:/data"]'])
        assert.ok(service.includes(wanted), `${name}: ${wanted}`)
    }
})

test('no database is reachable from outside, and no process except through its proxy', () => {
  for (const file of [beside, scaled]) {
    const database = servicesOf(file).get('database')!
    assert.ok(!database.includes('ports:'))
    assert.match(database, /^ *networks: \[database\]$/m)
    assert.match(file, /^ {2}database:\n {4}internal: true$/m)
  }
  const published = (file: string) =>
    [...servicesOf(file)].flatMap(([name, service]) => {
      const [, ports] = /^ *ports: (.+)$/m.exec(service) ?? []
      return ports ? [`${name} ${ports}`] : []
    })
  assert.deepEqual(published(single), ['tributary ["127.0.0.1:3000:3000"]'])
  assert.deepEqual(published(beside), ['tributary ["127.0.0.1:3000:3000"]'])
  assert.deepEqual(published(scaled), [])
})

test('no file contains a secret, and a missing secret is reported', () => {
  const example = read('env.example')
  for (const file of [beside, scaled])
    for (const [whole, name = '', otherwise] of file.matchAll(/\$\{(\w+)(:\?[^}]+)?\}/g)) {
      assert.ok(otherwise, whole)
      assert.match(example, new RegExp(`^${name}=$`, 'm'))
    }
})

test('forwarded addresses are trusted only from the host', () => {
  for (const file of [single, beside, scaled]) {
    const [, gateway] = /gateway: ([\d.]+)/.exec(file) ?? []
    assert.ok(gateway)
    assert.equal(/TRUST_PROXY: (\S+)/.exec(file)?.[1], gateway)
  }
})

test('nginx sees the caller’s address, also over IPv6, and balances like the sample', () => {
  const services = servicesOf(scaled)
  const addressOf = (name: string) => /ipv4_address: ([\d.]+)/.exec(services.get(name)!)?.[1]
  assert.match(services.get('nginx')!, /^ *network_mode: host$/m)
  const [, content = ''] = /content: \|\n((?: {6}.*\n)+)/.exec(scaled) ?? []
  const sample = read('nginx-upstream.conf')
    .replace(/^#.*\n/gm, '')
    .replace('127.0.0.1:3000', `${addressOf('web-1')}:3000`)
    .replace('127.0.0.1:3001', `${addressOf('web-2')}:3000`)
  assert.equal(content.replace(/^ {6}/gm, ''), sample)
})
