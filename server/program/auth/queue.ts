import { queue } from '../../platform/jobs/queue.ts'

/**
 * A request to mail a link, made with only an e-mail. `network` is the requester's, `askedAt` the account at whose
 * own host it was made.
 */
export type LinkRequest = {
  id: string
  kind: 'reset' | 'set-up'
  email: string
  network: string
  askedAt?: string | undefined
}
export const linkRequestQueue = queue<LinkRequest>('link-request')
