import { isIP } from 'node:net'
import { isDomain } from '#contract/values.ts'
import type { Config } from '../../platform/config/config.ts'
import { isFreed } from '../../platform/http/outbound.ts'
import { wrongField } from '../../platform/refusal.ts'

const LOOPBACK = /^(localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/

/**
 * Returns the domain of a destination. Its address must be https, and its host a name that obeys the domain rule; the
 * hosts of ALLOW_PRIVATE_WEBHOOK_TARGETS may have http, numeric addresses and this machine's names.
 * Refuses: `validation_failed` for anything else.
 */
export function domainOfDestination(destinationUrl: string, { allowPrivateWebhookTargets }: Config): string {
  const url = URL.parse(destinationUrl)
  const isFree = url !== null && isFreed(allowPrivateWebhookTargets, url.hostname)
  const web = url && (url.protocol === 'https:' || (isFree && url.protocol === 'http:'))
  if (!web || url.username || url.password) throw wrongField('destinationUrl', 'destination_not_https')
  const domain = url.hostname
  if (isDomain(domain) && (isFree || isIP(domain) === 0)) return domain
  if (isFree && LOOPBACK.test(domain)) return domain
  throw wrongField('destinationUrl', 'destination_without_domain')
}
