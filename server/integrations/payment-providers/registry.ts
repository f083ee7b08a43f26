import { chargebee } from './chargebee/adapter.ts'
import { generic } from './generic/adapter.ts'
import { lemonSqueezy } from './lemon-squeezy/adapter.ts'
import { paddle } from './paddle/adapter.ts'
import { paypal } from './paypal/adapter.ts'
import { polar } from './polar/adapter.ts'
import type { ProviderAdapter } from './provider.ts'
import { recurly } from './recurly/adapter.ts'
import { shopify } from './shopify/adapter.ts'
import { square } from './square/adapter.ts'
import { stripe } from './stripe/adapter.ts'
import { woocommerce } from './woocommerce/adapter.ts'

/** The providers that can be connected. */
export const adapters: ProviderAdapter[] = [
  ...[stripe, lemonSqueezy, paddle, paypal, shopify, square],
  woocommerce,
  polar,
  chargebee,
  recurly,
  generic,
]

export const findAdapter = (provider: string): ProviderAdapter | undefined =>
  adapters.find((adapter) => adapter.provider === provider)
