import type * as room from '../custom-domains.ts'
import { APP, account } from './objects.ts'

export const host: room.CustomDomain = {
  name: 'join.acme.example',
  state: 'ready',
  record: { name: '_tributary.join.acme.example', value: `tributary=${account.publicId}` },
  target: new URL(APP).hostname,
  checkedAt: '2026-07-27T03:00:00.000Z',
  problem: null,
}
