import { paymentProviderNames } from '#contract/sales.ts'
import type { SignatureForm } from '../../../platform/http/signature.ts'
import type { Credentials, ProviderAdapter } from '../provider.ts'
import { isProven } from '../signed.ts'
import { eventTypes, readEvent } from './event.ts'
import { readFacts, toPayment, toRefunds } from './payment.ts'

const HEADER = 'X-Signature'

/** Systems that sign events by HMAC and send them in our own format: docs/integrations/custom-integration.md. */
export const generic: ProviderAdapter = {
  provider: 'generic',
  name: paymentProviderNames.generic,
  methods: ['credentials'],
  fields: [
    {
      key: 'name',
      label: 'Name',
      help: 'What you call the shop or system that takes the payments. It can’t be changed later.',
      secret: false,
      shape: /^[^\p{C}\s](?:[^\p{C}]{0,98}[^\p{C}\s])?$/u,
      words: 'Enter a name of at most 100 characters',
    },
    {
      key: 'signingSecret',
      label: 'Signing Secret',
      help: 'A random text of 16 characters or more that your system signs each event with, by HMAC-SHA256 of the request’s body. Help describes what events say, on the page ‘Payment providers’.',
      secret: true,
      shape: /^[\x21-\x7e]{16,500}$/,
      words: 'Enter 16 characters or more, without spaces',
    },
    {
      key: 'signatureHeader',
      label: 'Signature Header',
      help: `The header that holds the signature. Leave it empty for ${HEADER}.`,
      secret: false,
      optional: true,
      shape: /^[A-Za-z0-9-]{1,100}$/,
      words: 'Enter a header’s name: letters, digits and hyphens',
    },
    {
      key: 'encoding',
      label: 'Signature Encoding',
      help: 'How the signature is written: hex or base64. Leave it empty for hex.',
      secret: false,
      optional: true,
      shape: /^(hex|base64)$/,
      words: 'Enter hex or base64',
    },
  ],
  signingField: 'signingSecret',
  eventTypes,

  /** No provider to ask. */
  readAccount: async ({ name = null }) => ({
    accountName: name,
    defaultCurrency: null,
    providerAccountId: name,
    livemode: true,
  }),

  async receive(delivery) {
    const { raw, credentials, reach } = delivery
    const isSigned = formsOf(credentials).some((form) => isProven(form, credentials.signingSecret, delivery))
    return isSigned ? [readEvent(raw.toString('utf8'), reach.now)] : null
  },

  readFacts: async (event) => readFacts(event),
  toPayment,
  toRefunds,
}

/**
 * Returns the forms of a signature: one or several of them, separated by commas during a rotation, with or without the
 * prefix `sha256=`, as many systems write it.
 */
const formsOf = ({ signatureHeader: header = HEADER, encoding }: Credentials): SignatureForm[] =>
  [null, 'sha256='].map((prefix) => ({
    header,
    prefix,
    layout: 'named',
    signed: '{body}',
    key: 'text',
    encoding: encoding === 'base64' ? 'base64' : 'hex',
  }))
