import { webhooksInNeed } from '../integrations/outgoing-webhooks/webhooks.ts'
import { connectionsInNeed } from '../integrations/payment-providers/present-connections.ts'
import { countInWords } from '../platform/format-values.ts'
import { tryTokens } from '../program/payouts/connections.ts'
import type { ApiMethod } from '../program/payouts/methods/registry.ts'
import { type Check, reportFault, reportOk, reportSkipped, reportWarning } from './check.ts'

/** Reports connections to payment providers as shown to their owners, without calling them. */
export const providers: Check = {
  name: 'payment providers',
  async look(patient) {
    const db = await patient.database()
    const { count, inNeed } = await connectionsInNeed(db)
    if (count === 0) return reportSkipped('No account has a connection.')
    if (inNeed.length === 0) return reportOk(`${countInWords(count, 'connection')}, all working.`)
    return inNeed.map(({ provider, accountId, stateReason }) =>
      reportWarning(
        `${provider} of account ${accountId}: ${stateReason}`,
        'The owner sees this under Payment providers, with how to fix it.',
      ),
    )
  },
}

/** Checks whether the payout provider accepts each account's token. */
export const carrierCheck = (method: ApiMethod): Check => ({
  name: method.name,
  patience: 60_000,
  async look(patient) {
    const { config, outbound, needs } = patient
    const { name, label } = method
    needs(...CARRIER_VARIABLES.map((suffix) => `${name.toUpperCase()}_${suffix}`))
    const db = await patient.database()
    const services = { db, config, log: db.log, outbound, secrets: await patient.secrets() }
    const { total, away, refused } = await tryTokens(services, method)
    if (total === 0) return reportSkipped(`No account pays with ${label}.`)
    if (away !== null)
      return reportFault(
        `${label} doesn’t respond: ${away}`,
        `Check ${name.toUpperCase()}_API_URL, and that this machine can connect to it.`,
      )
    if (refused.length === 0) return reportOk(`${label} accepts the credentials of ${countInWords(total, 'account')}.`)
    return refused.map(({ accountId, reason }) =>
      reportFault(
        `${label} refuses the credentials of account ${accountId}: ${reason}`,
        'The owner can enter new ones under Settings, Payouts.',
      ),
    )
  },
})

const CARRIER_VARIABLES = ['API_URL', 'API_VERSION', 'WEBHOOK_KEY']

/** Checks the deliveries to other systems. */
export const webhooks: Check = {
  name: 'webhooks',
  async look(patient) {
    const { config } = patient
    const open =
      config.allowPrivateWebhookTargets === true && config.appEnv === 'production'
        ? [
            reportWarning(
              'ALLOW_PRIVATE_WEBHOOK_TARGETS is on: accounts can reach servers in your private network.',
              'List the hosts and networks that they need instead, such as n8n,10.0.0.0/8.',
            ),
          ]
        : []
    const db = await patient.database().catch((error) => {
      if (open.length > 0) return null
      throw error
    })
    if (!db) return open
    const { count, inNeed } = await webhooksInNeed(db)
    const failures = inNeed.map(({ accountId, name, url, failures, disabledReason }) =>
      reportWarning(
        disabledReason
          ? `'${name}' of account ${accountId} to ${new URL(url).host} was turned off: ${disabledReason}`
          : `'${name}' of account ${accountId} to ${new URL(url).host} failed ${countInWords(failures, 'time')} in a row.`,
        'The owner sees each delivery with its response under Webhooks, and can turn it on again there.',
      ),
    )
    if (open.length + failures.length > 0) return [...open, ...failures]
    return count === 0 ? reportSkipped('There are none.') : reportOk(`${countInWords(count, 'webhook')}, none failing.`)
  },
}
