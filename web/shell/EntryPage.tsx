import { useLocation } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { Page } from '../ui/Page.tsx'
import { type Tab, Tabs } from '../ui/Tabs.tsx'
import { basicWords } from '../words/basic.ts'
import { shellWords } from '../words/shell.ts'
import { useRole } from './current.ts'
import { type EntryTab, findPlace, getLabel, getTabLabel, listDestinations } from './destinations.ts'

/** The numbers of rows of an entry's tabs. */
export type TabCounts = {
  readonly [page in EntryTab['page']]?: Pick<Tab<string>, 'narrowed' | 'warns'> & {
    count: number | undefined
    /** A rare tab is shown even without rows. */
    mayHaveRows?: boolean
  }
}

type Props = Omit<ComponentProps<typeof Page>, 'heading' | 'title' | 'parent' | 'crumb' | 'badge'> & {
  counts?: TabCounts
  /** Between the heading and the tabs. */
  above?: ReactNode
  /** Around the tabs and what they show. */
  frame?: ComponentProps<'div'>
}

/** A page of an entry in the sidebar, with the entry's tabs; the address decides which of them is open. */
export function EntryPage({ counts = {}, above, frame, children, ...page }: Props) {
  const { main } = listDestinations(useRole())
  const path = useLocation({ select: ({ pathname }) => pathname })
  const chosen = useLocation({ select: ({ search }) => (search as { tab?: string }).tab })
  const entry = findPlace(main, path)
  const { tabs = [] } = entry ?? {}
  const here = tabs.filter(({ to }) => to === path)
  const current = here.find(({ search }) => search?.tab === chosen) ?? here[0]
  if (!entry || !current) return null
  const label = getTabLabel(current)
  const name = getLabel(entry)
  // an administrator's only entry is named after the role
  const heading = name === shellWords.navigation.admin ? label : name
  return (
    <Page
      {...page}
      heading={heading}
      title={label === heading ? label : basicWords.titleIn({ tab: label, entry: name })}
    >
      {above}
      <div className="stack" {...frame}>
        <Tabs
          label={name}
          tabs={tabs
            .filter(
              ({ page, rare }) => !rare || page === current.page || counts[page]?.count || counts[page]?.mayHaveRows,
            )
            .map((tab) => {
              const { mayHaveRows: _, ...shown } = counts[tab.page] ?? {}
              return { key: tab.page, label: getTabLabel(tab), go: { to: tab.to, search: tab.search ?? {} }, ...shown }
            })}
          current={current.page}
        >
          {children}
        </Tabs>
      </div>
    </Page>
  )
}
