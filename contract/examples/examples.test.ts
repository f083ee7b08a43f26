import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type PublicEvent, publicEvents } from '../events.ts'
import { wrongFields } from '../fields.ts'
import { endpoints } from '../index.ts'
import { eventExamples } from './events.ts'
import { findExample } from './index.ts'

test('every call has an example that its own schemas accept: path, query, body and response', () => {
  for (const endpoint of endpoints) {
    const { name, room, path, params, query, body, reply } = endpoint
    const example = findExample(endpoint)
    assert.ok(example, `${name} has no example: add it to contract/examples/${room}.ts`)
    const inPath = [...path.matchAll(/:(\w+)/g)].map((match) => match[1])
    assert.deepEqual(
      Object.keys(example.params).sort(),
      inPath.sort(),
      `contract/examples/${room}.ts: the params of ${name} are those of ${path}; only the id of a subject may be left out`,
    )
    for (const [what, schema, value] of [
      ['params', params, example.params],
      ['query', query, example.query],
      ['body', body, example.body],
      ['reply', reply, example.reply],
    ] as const) {
      const { error } = schema?.safeParse(value) ?? {}
      assert.deepEqual(error ? wrongFields(error) : {}, {}, `contract/examples/${room}.ts: ${what} of ${name}`)
    }
  }
})

test('every event has an example object that its own schema accepts', () => {
  for (const [type, schema] of Object.entries(publicEvents)) {
    const { error } = schema.safeParse(eventExamples[type as PublicEvent])
    assert.deepEqual(error ? wrongFields(error) : {}, {}, `contract/examples/events.ts: ${type}`)
  }
})

test('a call is exported under its own name, which also finds its example', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const files = globSync(['contract/*.ts', 'features/*/contract.ts'], { cwd: root }).filter(
    (name) => !name.endsWith('.test.ts'),
  )
  const exported = new Map<string, { name?: string }>()
  for (const file of files)
    for (const [name, value] of Object.entries<{ name?: string }>(await import(`../../${file}`)))
      exported.set(name, value)
  for (const { name, room } of endpoints)
    assert.equal(exported.get(name)?.name, name, `contract exports ${name} of ${room} under another name`)
})
