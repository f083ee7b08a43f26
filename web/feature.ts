import type { ComponentType } from 'react'
import type { Account } from '#contract/accounts.ts'
import type { Screen } from './routes/screen-of.tsx'

/** An address of an account, with the callers who may open its screen. */
type FeatureScreen = { path: string; allow: 'team'; screen: Screen<never> }

/** The web application's part of a feature: each field is read by the one place that needs it. */
export type WebFeature = {
  screens?: readonly FeatureScreen[]
  /** Tabs of the account’s settings. */
  settings?: Record<string, ComponentType<{ account: Account }>>
}

/** Checks the declaration of a feature, and keeps its exact type. */
export const webFeature = <const Declared extends WebFeature>(declared: Declared): Declared => declared
