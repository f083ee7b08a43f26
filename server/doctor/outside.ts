import { webhooksInNeed } from '../integrations/outgoing-webhooks/webhooks.ts'
import { connectionsInNeed } from '../integrations/payment-providers/present-connections.ts'
import { countInWords } from '../platform/in-words.ts'
import type { Carrier } from '../program/payouts/methods/method.ts'
import { tryTokens } from '../program/payouts/try-tokens.ts'
import { type Check, fault, ok, skipped, warning } from './check.ts'

/** Reports connections to payment providers as shown to their owners, without calling them. */
export const providers: Check = {
  name: 'payment providers',
  async look(patient) {
    const db = await patient.database()
    const { count, inNeed } = await connectionsInNeed(db)
    if (count === 0) return skipped('No account is connected to one.')
    if (inNeed.length === 0) return ok(`${countInWords(count, 'connection')}, and nothing stands against any.`)
    return inNeed.map(({ provider, accountId, stateReason }) =>
      warning(
        `${provider} of account ${accountId}: ${stateReason}`,
        'Its owner sees this under Payment providers, and what to do about it.',
      ),
    )
  },
}

/** Checks whether the payout provider accepts each account's token. */
export const carrierCheck = (name: string, carrier: Carrier): Check => ({
  name,
  patience: 60_000,
  async look(patient) {
    const { config, outbound, needs } = patient
    needs(...CARRIER_VARIABLES.map((suffix) => `${name.toUpperCase()}_${suffix}`))
    const db = await patient.database()
    const services = { db, config, log: db.log, outbound, secrets: await patient.secrets() }
    const { asked, away, refused } = await tryTokens(services, carrier)
    const { label } = carrier
    if (asked === 0) return skipped(`No account pays by ${label}.`)
    if (away !== null)
      return fault(
        `${label} does not answer: ${away}`,
        `See that ${name.toUpperCase()}_API_URL is right and that this machine may connect there.`,
      )
    if (refused.length === 0) return ok(`${label} takes the tokens of ${countInWords(asked, 'account')}.`)
    return refused.map(({ accountId, reason }) =>
      fault(
        `${label} refuses the token of account ${accountId}: ${reason}`,
        'Its owner enters a new one under Payouts, Settings.',
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
      config.allowPrivateWebhookTargets && config.appEnv === 'production'
        ? [
            warning(
              'ALLOW_PRIVATE_WEBHOOK_TARGETS is on: an account can reach what is inside your network.',
              'Leave it out, unless you develop against it.',
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
      warning(
        disabledReason
          ? `'${name}' of account ${accountId} to ${new URL(url).host} was turned off: ${disabledReason}`
          : `'${name}' of account ${accountId} to ${new URL(url).host} failed ${countInWords(failures, 'time')} in a row.`,
        'Its owner sees each delivery with the answer under Webhooks, and turns it on again there.',
      ),
    )
    if (open.length + failures.length > 0) return [...open, ...failures]
    return count === 0 ? skipped('There are none.') : ok(`${countInWords(count, 'webhook')}, and none fails.`)
  },
}
