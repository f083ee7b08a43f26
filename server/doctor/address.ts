import { randomInt } from 'node:crypto'
import { isIP } from 'node:net'
import { createTrust } from '../platform/http/caller-address.ts'
import { type Check, type Finding, problemsOr, reportFault, reportOk, reportSkipped, reportWarning } from './check.ts'
import type { Patient } from './patient.ts'
import { type Answering, callsLeft, forwardedBy, probeServer, whoAnswers } from './probe-server.ts'

/** Checks whether APP_URL leads to this install. */
export const address: Check = {
  name: 'address',
  patience: 40_000,
  async look(patient) {
    const { config, needs } = patient
    needs('APP_URL', 'HOST', 'PORT')
    const door = probeServer(config)
    const unknown: Answering = { silent: 'PORT holds 0' }
    const [here, there] = await Promise.all([
      door ? whoAnswers(patient, door) : unknown,
      !config.appUrlGiven && config.port === 0 ? unknown : whoAnswers(patient, config.appUrl),
    ])
    const fine = reportOk(`${config.appUrl} leads to this server.`)
    return problemsOr(fine, judgeDoor(patient, here), judgeAppUrl(patient, here, there), judgeScheme(patient))
  },
}

/** Reports that another server uses the local address. */
function judgeDoor({ config }: Patient, here: Answering): Finding | null {
  if (here !== 'another') return null
  return reportFault(
    `PORT ${config.port} of ${config.host} is used by another program.`,
    'Stop that program, or set PORT to a free one.',
  )
}

function judgeAppUrl({ config }: Patient, here: Answering, there: Answering): Finding | null {
  const { appUrl } = config
  if (there === 'ours') return null
  if (there === 'starting')
    return reportWarning(`${appUrl} is served by a process that is still starting.`, 'Check again in a moment.')
  if (there === 'limited')
    return reportSkipped(`${appUrl} received too many requests to identify itself: check again in a minute.`)
  if (there === 'another')
    // a local fault explains the remote one
    return here === 'another' && isDirect(config)
      ? null
      : reportFault(
          `${appUrl} leads to another server, not to this one.`,
          'Set APP_URL to the URL that people use to reach this server, or let the proxy there forward to it.',
        )
  if (here === 'ours')
    return reportFault(
      `${appUrl} doesn’t reach this server, which is running: ${there.silent}`,
      'Set APP_URL to the URL that people use to reach it, and check DNS, certificate, firewall and proxy.',
    )
  return reportSkipped(`The product isn’t running here, and ${appUrl} doesn’t respond: ${there.silent}`)
}

const isLocal = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.localhost)$/.test(hostname)

/** Whether APP_URL leads to the process without a proxy. */
function isDirect({ appUrl, port }: Patient['config']) {
  const { protocol, hostname, port: given } = new URL(appUrl)
  return protocol === 'http:' && isLocal(hostname) && Number(given || 80) === port
}

function judgeScheme({ config: { appUrl } }: Patient): Finding | null {
  const { protocol, hostname } = new URL(appUrl)
  if (protocol === 'https:' || isLocal(hostname)) return null
  return reportWarning(
    `APP_URL is ${appUrl}: passwords and sign-in links are sent unencrypted.`,
    'Put a proxy with TLS in front, and set APP_URL to its https URL.',
  )
}

/** Checks whether visitors are distinguished behind a proxy, and cannot impersonate each other. */
export const proxy: Check = {
  name: 'proxy headers',
  patience: 60_000,
  async look(patient) {
    const { config, needs } = patient
    needs('TRUST_PROXY', 'APP_URL', 'HOST', 'PORT')
    if (trustsAtLarge(config.trustProxy))
      return reportFault(
        `TRUST_PROXY holds ${config.trustProxy.join(', ').slice(0, 200)}: any caller can pose as another, and rate limits have no effect.`,
        'Set TRUST_PROXY to the proxy’s own address.',
      )
    return judgeBehindTls(patient) ?? (await judgeForwarding(patient)) ?? (await judgeRunning(patient))
  },
}

/** Public addresses spread over all ranges; no proxy's network contains an eighth of them. */
const AT_LARGE = [
  Array.from({ length: 200 }, (_, n) => `${n + 11}.${(n * 37) % 256}.${(n * 91) % 256}.1`),
  Array.from({ length: 200 }, (_, n) => `${(0x2000 + n * 0x20).toString(16)}:${(n * 301).toString(16)}::1`),
]

/** Whether the networks cover large parts of all addresses, even if split: two halves are everyone too. */
function trustsAtLarge(networks: readonly string[]) {
  const trusts = createTrust(networks)
  return AT_LARGE.some((addresses) => addresses.filter(trusts).length > addresses.length / 8)
}

const LOOPBACK = ['127.0.0.1', '::1']

/** Judges https addresses: the process itself has no TLS, so there is a proxy. */
function judgeBehindTls({ config }: Patient): Finding | null {
  if (!config.appUrl.startsWith('https:')) return null
  const advice = 'Set TRUST_PROXY to the proxy’s address, and let it send X-Forwarded-For.'
  if (config.trustProxy.length === 0)
    return reportWarning(
      'TRUST_PROXY is empty behind an https APP_URL: all visitors count as the proxy and share its limits.',
      advice,
    )
  const isHere = LOOPBACK.includes(config.host)
  if (isHere && !LOOPBACK.some(createTrust(config.trustProxy)))
    return reportWarning(
      `HOST is ${config.host}, so the proxy calls from this machine, which TRUST_PROXY (${config.trustProxy.join(', ')}) doesn’t include: all visitors count as the proxy.`,
      'Add 127.0.0.1 to TRUST_PROXY.',
    )
  return null
}

/** Calls through the proxy, once normally and once with a forged header. */
async function judgeForwarding(patient: Patient): Promise<Finding | null> {
  const { config } = patient
  const { appUrl, trustProxy } = config
  if (trustProxy.length === 0 || isDirect(config) || (await whoAnswers(patient, appUrl)) !== 'ours') return null
  const pretended = strangeAddress()
  const honest = await forwardedBy(patient, appUrl)
  const pretending = await forwardedBy(patient, appUrl, { 'x-forwarded-for': pretended })
  const advice = 'Let the proxy set X-Forwarded-For itself, as the samples in deploy/ do, whatever callers send.'
  if (honest === 'nothing')
    return reportWarning(`The proxy at ${appUrl} sends no X-Forwarded-For: all visitors count as the proxy.`, advice)
  if (pretending === pretended)
    return reportWarning(
      `The proxy at ${appUrl} forwards X-Forwarded-For as callers send it: any caller can pose as another.`,
      advice,
    )
  return null
}

const strangeAddress = () => `198.51.100.${randomInt(1, 255)}`

/** Calls with a proxy's header, and judges by the limits whether it is trusted. */
async function judgeRunning(patient: Patient): Promise<Finding> {
  const { config } = patient
  const asSet = config.trustProxy.length > 0 ? `Trusted: ${config.trustProxy.join(', ')}.` : 'No proxy is trusted.'
  const door = probeServer(config)
  if (!door || (await whoAnswers(patient, door)) !== 'ours') return reportOk(asSet)
  const peer = new URL(door).hostname.replace(/^\[|\]$/g, '')
  const believed = await isBelieved(patient, door)
  // from another of this machine's addresses the answer proves nothing
  if (believed === null || !isIP(peer) || !LOOPBACK.includes(peer)) return reportOk(asSet)
  if (believed === createTrust(config.trustProxy)(peer)) return reportOk(`${asSet} The running product does the same.`)
  return reportWarning(
    `${asSet} The running product ${believed ? 'trusts' : 'doesn’t trust'} ${peer}: it was started with another TRUST_PROXY.`,
    'Use the same variables for the product and for this command.',
  )
}

/** Returns null without limits. */
async function isBelieved(patient: Patient, door: string) {
  for (let call = 0; call < 2; call++) await callsLeft(patient, door, {})
  const strange = await callsLeft(patient, door, { 'x-forwarded-for': strangeAddress() })
  const own = await callsLeft(patient, door, {})
  return strange && own ? strange.left === strange.limit - 1 && own.left < strange.left : null
}
