import type * as room from '../payment-providers.ts'
import type { ExamplesOf } from './example.ts'
import { connection, ids, onlyPage, restrictedKey } from './things.ts'

const ofConnection = { connectionId: ids.connection }

export const paymentProviders: ExamplesOf<typeof room> = {
  listConnections: { reply: onlyPage(connection) },
  listAvailableProviders: {
    reply: {
      items: [
        {
          provider: 'stripe',
          name: 'Stripe',
          methods: ['credentials'],
          fields: [{ key: 'restrictedKey', label: 'Restricted key', help: null, secret: true, optional: false }],
        },
      ],
    },
  },
  getConnectUrl: {
    params: { provider: 'stripe' },
    reply: { url: 'https://connect.stripe.example/oauth/authorize?response_type=code&state=Qm7xV2' },
  },
  connectProvider: { body: { provider: 'stripe', credentials: { restrictedKey } }, reply: connection },
  changeConnection: { params: ofConnection, body: { webhookSecret: 'whsec_8Kd1Qz6Rw4Nbp3Vx' }, reply: connection },
  disconnectProvider: { body: ofConnection },
  checkConnection: { params: ofConnection, reply: connection },
}
