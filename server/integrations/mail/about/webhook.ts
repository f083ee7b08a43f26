import { rights } from '#contract/endpoint.ts'
import type { Services } from '../../../platform/services.ts'
import { readForTeam } from '../mail.ts'
import { nameOr } from '../message.ts'
import { findWebhook } from '../queries.ts'

type Webhook = { accountName: string | null; name: string; url: string }

export const readersOfWebhooks = rights.earn

/** Reads a webhook for a person of the team; `reason`: why it is off. */
export async function readWebhook<Data>(
  services: Services,
  { webhookId, reader }: { webhookId: string; reader?: string },
  read: (webhook: Webhook, reason: string | null) => Data | null,
) {
  const found = await findWebhook(services.db, webhookId)
  const url = `${services.config.appUrl}/integrations/outgoing-webhooks/${webhookId}`
  return (
    found &&
    readForTeam(services, { accountId: found.accountId, reader }, readersOfWebhooks, ({ name: accountName }) =>
      read({ accountName, name: found.name, url }, found.reason),
    )
  )
}

export const webhookName = (name: string) => nameOr(name, 'of your account')

export const sampleWebhook = {
  accountName: 'Northwind',
  name: 'CRM',
  url: 'https://partners.example.com/integrations/outgoing-webhooks/sample',
}
