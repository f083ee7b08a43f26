import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildComplaint, buildField, wiseRefusal } from '../../../../../test/fakes/wise-rules.ts'
import { expectOk, startApp } from '../../../../../test/support/app.ts'
import { bankDetails } from '../../../../../test/support/payouts.ts'
import { createInstalls } from '../../../../../test/support/wise-payouts.ts'

const app = await startApp({ config: { rateLimitFactor: 1000 } })
const { anInstall } = createInstalls(app)
type Install = Awaited<ReturnType<typeof anInstall>>

const save = async ({ partner }: Install, fields: Record<string, unknown> = {}) => {
  const body = bankDetails(fields)
  const reply = await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body })
  return reply.status === 200 ? 'saved' : [reply.status, reply.body.error.fields ?? reply.body.error.reason]
}
const saved = async ({ partner }: Install) =>
  expectOk(await app.api('GET', `/partners/${partner.id}/payout-settings`, { token: partner.token })).body.depositInfo
    .accountNumber
const requirements = /account-requirements$/

test('what Wise asks of a recipient is asked when details are saved; no recipient is made', async () => {
  const install = await anInstall()
  const { wise } = install
  assert.equal(await save(install, { accountNumber: '55554444' }), 'saved')
  const calls = wise.callsTo(requirements).slice(-2)
  assert.deepEqual(
    calls.map(({ method, headers }) => [method, headers['accept-minor-version']]),
    [
      ['GET', '1'],
      ['POST', '1'],
    ],
  )
  assert.equal((calls[1]!.body.details as { address: { state: string } }).address.state, 'NY')
  assert.equal(wise.recipients.size, 0)
})

test("Wise's own words stand beside our field, and nothing is saved", async () => {
  const install = await anInstall()
  const { wise } = install
  wise.fail(
    /^POST .*account-requirements$/,
    wiseRefusal([
      buildComplaint('abartn', 'This bank has closed.'),
      buildComplaint('details.address.postCode', 'Not in New York.'),
      buildComplaint('surprise', 'Something else.'),
    ]),
  )
  assert.deepEqual(await save(install, { accountNumber: '55554444' }), [
    422,
    { routingNumber: 'This bank has closed.', 'address.zipCode': 'Not in New York.' },
  ])
  assert.equal(await saved(install), '•••••6789')
})

test('a field that breaks what Wise says of it is named; what we have no field for is left to Wise', async () => {
  const install = await anInstall()
  const { wise } = install
  const cases: [question: ReturnType<typeof buildField>, expected: unknown][] = [
    [
      buildField('address.postCode', 'Zip', { pattern: '^1\\d{4}-\\d{4}$' }),
      { 'address.zipCode': 'Wise doesn’t accept this as Zip' },
    ],
    [buildField('address.city', 'City', { max: 5 }), { 'address.city': 'Wise doesn’t accept this as City' }],
    [buildField('accountHolderName', 'Name', { min: 40 }), { name: 'Wise doesn’t accept this as Name' }],
    [
      buildField('address.state', 'State', { values: { CA: 'California' } }),
      { 'address.state': 'Wise doesn’t accept this as State' },
    ],
    // the country cannot be chosen here
    [buildField('address.country', 'Country', { values: { AF: 'Afghanistan' } }), null],
    [buildField('toString', 'Strange'), null],
    [buildField('__proto__.city', 'Strange'), null],
    [buildField('phoneNumber', 'Phone'), null],
    // one that would take for ever, and one that is invalid
    [buildField('address.firstLine', 'Address', { pattern: '^(\\w+\\s?)*$' }), null],
    [buildField('address.city', 'City', { pattern: '(' }), null],
  ]
  for (const [question, expected] of cases) {
    wise.askFor([question])
    const address = { ...bankDetails().address, addressLine: `${'a'.repeat(60)}!` }
    assert.deepEqual(await save(install, { address }), expected ? [422, expected] : 'saved')
  }
})

test('while Wise is away, refuses, or says nothing to go by, details are saved', async () => {
  const install = await anInstall()
  const { wise } = install
  const calls = ['POST /v3/profiles/*/quotes', 'GET *account-requirements', 'POST *account-requirements']
  const failures = [
    { status: 500 },
    { status: 401 },
    { status: 404 },
    { status: 429, retryAfter: 60 },
    'reset-after',
    'garbage',
  ] as const
  for (const [at, failure] of failures.entries()) {
    wise.fail(calls[at % 3]!, failure as never)
    assert.equal(await save(install, { accountNumber: `5555444${at}` }), 'saved')
  }
  wise.calm()
  const lie = wise.lie('GET *account-requirements', { type: 'swift' })
  assert.equal(await save(install), 'saved')
  lie.end()

  const { outbound } = app.services
  const patience: (number | undefined)[] = []
  const provider: typeof outbound.provider = (url, request) => {
    patience.push(request?.timeoutMs)
    return outbound.provider(url, request)
  }
  Object.assign(app.services, { outbound: { ...outbound, provider } })
  assert.equal(await save(install), 'saved')
  Object.assign(app.services, { outbound })
  assert.equal(patience.length, 3)
  for (const timeoutMs of patience) assert.ok(timeoutMs! <= 5000, String(timeoutMs))
})
