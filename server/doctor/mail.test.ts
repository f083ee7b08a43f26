import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { systemClock } from '../platform/database/pool.ts'
import { runChecks } from './check.ts'
import { smtp } from './mail.ts'
import { meetPatient } from './patient.ts'

/** A relay that answers each command with the first line whose pattern fits. */
async function examined(answers: [command: RegExp, answer: string][]) {
  const relay = createServer((socket) => {
    socket.on('error', () => {}).write('220 relay.example ESMTP\r\n')
    socket.on('data', (line) => {
      const answer = answers.find(([command]) => command.test(String(line)))?.[1] ?? '250 ok'
      socket.write(`${answer}\r\n`)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((done) => relay.once('listening', done))
  const { port } = relay.address() as AddressInfo
  const variables = { SMTP_URL: `smtp://user:password@127.0.0.1:${port}`, APP_URL: 'https://partners.acme.example' }
  const patient = meetPatient(variables, { clock: systemClock })
  try {
    const [found] = await runChecks([smtp], patient)
    return `${found!.state}: ${found!.advice}`
  } finally {
    await patient.leave()
    relay.close()
  }
}

const PLAIN: [RegExp, string] = [/^EHLO/, '250-relay.example\r\n250 AUTH LOGIN PLAIN']

test('a relay that accepts only OAuth tokens is named as such, whichever way it says so', async () => {
  const ways: [RegExp, string][][] = [
    [PLAIN, [/^AUTH/, '535 5.7.139 Authentication unsuccessful, basic authentication is disabled.']],
    [PLAIN, [/^AUTH/, '534-5.7.9 Application-specific password required.\r\n534 5.7.9 See the help']],
    [
      [/^EHLO/, '250-relay.example\r\n250 AUTH XOAUTH2 OAUTHBEARER'],
      [/^AUTH/, '504 5.7.4 Unrecognized authentication type'],
    ],
  ]
  for (const way of ways) assert.match(await examined(way), /^fault: It .* wants an OAuth token/)
  assert.match(await examined([PLAIN, [/^AUTH/, '535 5.7.8 wrong password']]), /^fault: Correct user and password/)
})

test('a relay that refuses the name of this server is answered with ?name=', async () => {
  assert.match(
    await examined([[/^EHLO/, '421 4.7.0 Try again later, closing connection. (EHLO)']]),
    /^fault: Add \?name=/,
  )
  assert.match(await examined([[/^(EHLO|HELO)/, '550 Invalid EHLO name']]), /^fault: Add \?name=/)
})
