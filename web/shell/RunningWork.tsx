import { useIsFetching, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Import } from '#contract/imports.ts'
import { importsOf, isMoving } from '../shared/imports.ts'
import { AgainIcon } from '../ui/icons.tsx'
import { Menu } from '../ui/Menu.tsx'
import { useRunningHere } from '../ui/running-work.ts'
import { pageWords, shellWords } from '../words/shell.ts'
import { account } from './queries.ts'
import styles from './Sidebar.module.css'

/** The number of jobs under way for an account with a link to them; nothing if there are none. */
export function RunningWork({ accountId }: { accountId: string }) {
  const router = useRouter()
  const jobs = useJobs(accountId)
  const here = useRunningHere()
  const count = jobs.length + here.length
  if (count === 0) return null
  const places = [...new Set([...jobs.map(placeOf), ...here.map(({ href }) => href)])]
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
        className={styles.running}
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
        <button {...props} type="button" className={styles.running}>
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
  const { data: owned } = useQuery(account(accountId))
  const resting = useIsFetching() === 0
  const [begun, begin] = useState(false)
  useEffect(() => {
    if (resting) begin(true)
  }, [resting])
  const { data } = useQuery({
    ...importsOf(accountId, { state: 'waiting,running,undoing', limit: 10 }),
    enabled: begun && owned !== undefined && !owned.disabledAt,
  })
  return data?.items.filter(isMoving) ?? []
}

const IMPORTS = '/account/import'
const PAST_SALES = '/integrations/payment-providers'

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
