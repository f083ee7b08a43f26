import type { Services } from '../../../platform/services.ts'
import { said } from '../letter.ts'
import { findWebhook } from '../queries.ts'

/** Reads a webhook with its reason for being off, and its owner. */
export async function readWebhook({ db, config }: Services, webhookId: string) {
  const webhook = await findWebhook(db, webhookId)
  if (!webhook) return null
  if (webhook.disabledAt) return 'later'
  const { ownerEmail: to, ownerId: userId, accountName, name, reason } = webhook
  const url = `${config.appUrl}/integrations/outgoing-webhooks/${webhookId}`
  return { to, userId, reason, webhook: { accountName, name, url } }
}

export const named = (name: string) => said(name, 'of your account')

export const sampleWebhook = {
  accountName: 'Northwind',
  name: 'CRM',
  url: 'https://partners.example.com/integrations/outgoing-webhooks/sample',
}
