import type { ProviderAdapter } from './provider.ts'
import { stripe } from './stripe/adapter.ts'

/** The providers that can be connected. */
const adapters: ProviderAdapter[] = [stripe]

export const availableAdapters = (): readonly ProviderAdapter[] => adapters

export const adapterOf = (provider: string): ProviderAdapter | undefined =>
  adapters.find((adapter) => adapter.provider === provider)
