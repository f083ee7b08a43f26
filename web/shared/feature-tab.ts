import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { apiQuery } from '../calls.ts'

type Totaled = { total: number }
type TotalQuery = (accountId: string) => UseQueryOptions<Totaled, Error, Totaled, QueryKey>

/** A feature's tab in the line under an entry of the sidebar. */
export type FeatureTab = {
  under: 'dashboard' | 'partners' | 'leads'
  to: NonNullable<LinkProps['to']>
  search?: { tab?: string; state?: string; status?: string }
  /** Its name, and other words that find it in the palette. */
  words: { label: string; also: string }
  /** Its place among the tabs of features: lower comes first, 0 by default. */
  order?: number
  /** The page of the docs about it. */
  about?: string
  /** Counts the rows that wait for work, which the tab shows. */
  waiting?: TotalQuery
}

/** Returns the query for the number of rows of a list of the account. */
export const totalQuery =
  (list: object, query: object): TotalQuery =>
  (id) =>
    (apiQuery as (list: object, input: object) => unknown)(list, {
      params: { id },
      query: { ...query, limit: 1 },
    }) as ReturnType<TotalQuery>
