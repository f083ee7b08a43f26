import type { OutboundAnswer, OutboundLine } from '../../platform/http/outbound.ts'
import { buildSignatureHeaders } from './body.ts'
import type { openWebhookSecrets } from './sealed.ts'

type Sent = { id: string; body: string; now: Date; timeoutMs: number }

/** Sends a body with the headers of its webhook, signed by every current key. */
export const sendSigned = (
  line: Pick<OutboundLine, 'send'>,
  { headers, keysAt }: ReturnType<typeof openWebhookSecrets>,
  { id, body, now, timeoutMs }: Sent,
): Promise<OutboundAnswer> =>
  line.send({
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...buildSignatureHeaders(id, body, keysAt(now), now) },
    body,
    timeoutMs,
  })
