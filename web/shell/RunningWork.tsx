import { useIsFetching, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { subjectsOfAction } from '#contract/bulk-actions.ts'
import { createImport, type Import } from '#contract/imports.ts'
import { followAction, runningBulkActionsQuery, useFollowed } from '../shared/bulk-actions.ts'
import { importsQuery, isMoving } from '../shared/imports.ts'
import { AgainIcon } from '../ui/icons.tsx'
import { Menu } from '../ui/Menu.tsx'
import { usePermission } from '../ui/permissions.ts'
import { useRunningHere } from '../ui/running-work.ts'
import { pageWords, shellWords } from '../words/shell.ts'
import { accountQuery } from './queries.ts'
import styles from './Sidebar.module.css'

/** The number of jobs under way for an account with a link to them; nothing if there are none. */
export function RunningWork({ accountId }: { accountId: string }) {
  const router = useRouter()
  const may = usePermission()
  const jobs = useJobs(accountId).filter(({ kind }) => kind === 'past-sales' || may(createImport))
  const here = useRunningHere()
  const many = useBulkActions(accountId)
  const count = jobs.length + many.length + here.length
  if (count === 0) return null
  const places = [...new Set([...jobs.map(placeOf), ...many.map(placeOfMany), ...here.map(({ href }) => href)])]
  const words = shellWords.navigation.running({ count })
  const open = (href: string) => router.history.push(href)
  const face = (
    <>
      <AgainIcon />
      <span>{words}</span>
    </>
  )
  const [only] = places
  if (only !== undefined && places.length === 1)
    return (
      <a
        href={only}
        className={`choice ${styles.place}`}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
          event.preventDefault()
          open(only)
        }}
      >
        {face}
      </a>
    )
  return (
    <Menu
      label={words}
      start
      items={places.map((href) => ({ key: href, label: nameOf(href), run: () => open(href) }))}
      opener={(props) => (
        <button {...props} type="button" className={`choice ${styles.place}`}>
          {face}
        </button>
      )}
    />
  )
}

/**
 * Reads the server's jobs: once the screen is loaded, again after every write, and every second only while one is under
 * way.
 */
function useJobs(accountId: string): Import[] {
  const enabled = useMayRead(accountId)
  const { data } = useQuery({ ...importsQuery(accountId, { state: 'waiting,running,undoing', limit: 10 }), enabled })
  return data?.items.filter(isMoving) ?? []
}

/** Reads the actions on many likewise, and follows also those started elsewhere. */
function useBulkActions(accountId: string) {
  const { data } = useQuery({ ...runningBulkActionsQuery(accountId), enabled: useMayRead(accountId) })
  useEffect(() => {
    for (const { id, action } of data?.items ?? []) followAction({ id, accountId, action })
  }, [data, accountId])
  return useFollowed(accountId)
}

/** Returns whether the screen is loaded and the account enabled. */
function useMayRead(accountId: string) {
  const { data: owned } = useQuery(accountQuery(accountId))
  const resting = useIsFetching() === 0
  const [begun, begin] = useState(false)
  useEffect(() => {
    if (resting) begin(true)
  }, [resting])
  return begun && owned !== undefined && !owned.disabledAt
}

const IMPORTS = '/account/import'
const PAST_SALES = '/integrations/payment-providers'

const placeOfMany = ({ action }: ReturnType<typeof useFollowed>[number]) =>
  action === 'remind-partners' ? '/payouts' : (`/${subjectsOfAction[action]}` as const)

const placeOf = ({ kind }: Import) => (kind === 'past-sales' ? PAST_SALES : IMPORTS)

/** Returns the name of a place. */
function nameOf(href: string) {
  if (href === IMPORTS) return pageWords.importData
  if (href === PAST_SALES) return pageWords.paymentProviders
  const [, section] = href.split(/[/?]/)
  const pages = {
    account: 'settings',
    partners: 'partners',
    leads: 'leads',
    links: 'links',
    payouts: 'payouts',
  } as const
  const page = pages[section as keyof typeof pages]
  return page ? pageWords[page] : href
}
