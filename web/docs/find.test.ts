import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readDocs } from '../build/docs-markdown.ts'
import { listParts } from '../build/docs-search.ts'
import { createFinder, toLine } from './find.ts'

const find = createFinder(listParts(readDocs(fileURLToPath(new URL('../../docs', import.meta.url)))))
const first = (typed: string) => find(typed)[0]?.address

test('the name of a variable, command or page finds where it is explained', () => {
  assert.equal(first('BACKUP_EVERY'), '/docs/backups#backups')
  assert.ok(find('APP_U').some(({ address }) => address === '/docs/variables'))
  assert.deepEqual(
    find('default_pool_size').map(({ address }) => address),
    ['/docs/database#behind-a-connection-pooler'],
  )
  assert.equal(first('stripe'), '/docs/integrations/stripe')
  assert.equal(first('npx tributary doctor'), '/docs/self-hosting#checking-the-server')
  assert.equal(first('pgbouncer'), '/docs/database#behind-a-connection-pooler')
})

test('operators’ usual terms find where they are explained', () => {
  assert.equal(first('downgrade'), '/docs/backups#roll-back-to-the-previous-release')
  assert.equal(first('roll back'), '/docs/backups#roll-back-to-the-previous-release')
  assert.equal(first('forgot password'), '/docs/self-hosting#somebody-forgot-their-password')
  assert.equal(first('kubernetes'), '/docs/self-hosting#kubernetes')
  assert.equal(first('sslmode'), '/docs/database#tls-to-postgresql')
  assert.equal(first('memory'), '/docs/self-hosting#memory-disk-and-log-it-needs')
  assert.equal(first('log rotation'), '/docs/self-hosting#memory-disk-and-log-it-needs')
})

test('an incomplete or slightly misspelled word is found', () => {
  assert.ok(find('attribu').some(({ address }) => address === '/docs/concepts/attribution'))
  assert.ok(find('atribution').some(({ address }) => address === '/docs/concepts/attribution'))
  assert.equal(first('lemon squezy'), '/docs/integrations/lemon-squeezy')
})

test('all words must match, or any of them if no section has all', () => {
  const both = find('stripe restricted')
  assert.ok(both.length > 0)
  assert.ok(both.length < find('stripe').length)
  assert.equal(first('How do I restore a backup?'), '/docs/backups#backups')
  assert.ok(find('stripe zzzzzzzz').some(({ address }) => address.startsWith('/docs/integrations/stripe')))
  assert.deepEqual(find('zzzzzzzz'), [])
  assert.deepEqual(find('  '), [])
  assert.deepEqual(find('…()[].*?'), [])
})

test('a result shows the matching words in context', () => {
  assert.deepEqual(toLine('Refunds and a refund of a prefund.', ['refund', 'refunds']), [
    { text: 'Refunds', hit: true },
    { text: ' and a ', hit: false },
    { text: 'refund', hit: true },
    { text: ' of a prefund.', hit: false },
  ])
  const long = `${'before '.repeat(50)}needle ${'after '.repeat(50)}`
  const line = toLine(long, ['needle'])
  assert.match(line.map(({ text }) => text).join(''), /^… (before )+needle (after )+…$/)
  assert.ok(line.map(({ text }) => text).join('').length < 160)
  assert.deepEqual(toLine('Costs a+b (c).', ['a+b', '(c)']).filter(({ hit }) => hit).length, 2)
  assert.deepEqual(toLine('Nothing of it.', ['heading']), [{ text: 'Nothing of it.', hit: false }])
  assert.deepEqual(toLine('', ['heading']), [])
})
