import { bothNames } from '../former-names.ts'
import type { Import } from '../imports.ts'
import type * as room from '../payment-providers.ts'
import type { ExamplesOf } from './example.ts'
import { waitingImport } from './imports.ts'
import { connection, ids, onlyPage, restrictedKey } from './objects.ts'

const ofConnection = { connectionId: ids.connection }

const event: room.ProviderEvent = {
  id: ids.providerEvent,
  externalId: 'evt_1Kx9Acme',
  type: 'invoice.paid',
  at: '2026-07-27T21:01:05.000Z',
  receivedAt: '2026-07-27T21:01:08.917Z',
  state: 'processed',
  reason: null,
  saleId: ids.sale,
}

const past: Import = {
  ...waitingImport,
  kind: 'past-sales',
  format: null,
  connectionId: ids.connection,
  dryRun: true,
  mapping: null,
  from: '2025-08-14',
  to: '2026-08-14',
}

const codeRule: room.PromotionCodeRule = {
  when: 'approval',
  pattern: '{name}10',
  couponId: 'partners-10',
  percentOff: 10,
  amountOff: null,
  currency: null,
  groupIds: null,
}

const createUrl = 'https://dashboard.stripe.com/apikeys/create?name=Tributary&permissions%5B%5D=rak_charge_read'

export const paymentProviderExamples: ExamplesOf<typeof room> = {
  listConnections: { reply: onlyPage(connection) },
  listAvailableProviders: {
    reply: {
      items: [
        {
          provider: 'stripe',
          name: 'Stripe',
          methods: ['oauth', 'credentials'],
          ...bothNames('canImportPastSales', true),
          fields: [
            { key: 'restrictedKey', label: 'Restricted Key', help: null, secret: true, optional: false, createUrl },
            {
              key: 'webhookSecret',
              label: 'Webhook Signing Secret',
              help: null,
              secret: true,
              optional: true,
              createUrl: null,
            },
          ],
          signingField: 'webhookSecret',
          webhookSteps: null,
          forwardCommand: 'stripe listen --forward-to',
          makesCodes: 'coupon',
        },
      ],
    },
  },
  getConnectUrl: {
    refused: ['provider_needs_key'],
    params: { provider: 'stripe' },
    reply: { url: 'https://connect.stripe.example/oauth/authorize?response_type=code&state=Qm7xV2' },
  },
  connectProvider: {
    refused: [
      'account_connected_before',
      'connection_ended',
      'consent_expired',
      'consent_refused',
      'consent_unknown',
      'consent_used',
      'provider_account_connected',
      'provider_account_unknown',
      'provider_away',
      'provider_credentials_malformed',
      'provider_credentials_refused',
      'provider_needs_key',
      'provider_not_available',
    ],
    body: { provider: 'stripe', credentials: { restrictedKey } },
    reply: connection,
  },
  changeConnection: {
    refused: [
      'connection_by_consent',
      'connection_ended',
      'key_of_other_account',
      'provider_account_connected',
      'provider_away',
      'provider_credentials_malformed',
      'provider_credentials_refused',
      'provider_key_account_unknown',
      'test_key_for_live_connection',
    ],
    params: ofConnection,
    body: { webhookSecret: 'whsec_8Kd1Qz6Rw4Nbp3Vx' },
    reply: connection,
  },
  disconnectProvider: { refused: ['unknown_connection'], body: ofConnection },
  importPastSales: {
    refused: ['connection_ended', 'provider_forgets', 'import_under_way'],
    params: ofConnection,
    body: { from: '2025-08-14', to: '2026-08-14', dryRun: true },
    reply: past,
  },
  checkConnection: { refused: ['connection_ended', 'provider_away'], params: ofConnection, reply: connection },
  listProviderEvents: { params: ofConnection, reply: onlyPage(event) },
  retryProviderEvent: {
    refused: ['event_not_retriable'],
    params: { ...ofConnection, eventId: event.id },
    reply: { ...event, state: 'failed', reason: 'Stripe answered 500.', saleId: null },
  },
  listCoupons: {
    refused: ['codes_not_made', 'code_right_missing', 'connection_ended', 'provider_away'],
    params: ofConnection,
    reply: { items: [{ id: 'partners-10', name: 'Partners, 10% off once' }] },
  },
  saveCodeRule: {
    refused: [
      'code_right_missing',
      'codes_not_made',
      'connection_ended',
      'coupon_not_chosen',
      'unknown_group',
      'discount_not_chosen',
      'provider_away',
    ],
    params: ofConnection,
    body: { rules: [{ when: 'approval', pattern: '{name}10', couponId: 'partners-10' }] },
    reply: { ...connection, codeRule, codeRules: [codeRule] },
  },
}
