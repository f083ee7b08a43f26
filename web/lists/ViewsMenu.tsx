import { useState } from 'react'
import { portalSession } from '../session.ts'
import { Button } from '../ui/Button.tsx'
import { DownIcon } from '../ui/icons.tsx'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { Menu } from '../ui/Menu.tsx'
import { viewWords } from '../words/lists.ts'
import { usePreferences } from './preferences.ts'
import type { TableState } from './useTable.ts'
import { isShown, newViewKey, viewsIn } from './views.ts'

const NameView = lazyComponent(async () => (await import('./EditViews.tsx')).NameView)
const EditViews = lazyComponent(async () => (await import('./EditViews.tsx')).EditViews)

type Props = { table: Pick<TableState<unknown>, 'list' | 'shown' | 'rearranged' | 'open'> }

/** 'Views' opens saved views of this list; 'Save view' saves the current one, once it differs from the default. */
export function ViewsMenu({ table: { list, shown, rearranged, open } }: Props) {
  const views = viewsIn(usePreferences(), list)
  const [asking, setAsking] = useState<{ save: string } | 'edit' | null>(null)
  const current = views.find((view) => isShown(view, shown))
  const differs = Object.keys(shown.search).length > 0 || rearranged
  const close = () => setAsking(null)
  // Saved views belong to users, and a portal has none.
  if (portalSession()) return null
  return (
    <>
      {differs && !current && (
        <Button look="quiet" onClick={() => setAsking({ save: newViewKey(list) })}>
          {viewWords.save}
        </Button>
      )}
      {views.length > 0 && (
        <Menu
          one
          label={viewWords.heading}
          items={[
            ...views.map((view) => ({
              key: view.key,
              label: view.name,
              checked: view === current,
              run: () => void open(view),
            })),
            { label: viewWords.edit, run: () => setAsking('edit') },
          ]}
          opener={(props) => (
            <Button {...props} look="quiet">
              {viewWords.heading} <DownIcon size={16} />
            </Button>
          )}
        />
      )}
      {asking && asking !== 'edit' && (
        <NameView
          heading={viewWords.save}
          view={{ key: asking.save, name: '', ...shown }}
          others={views}
          onClose={close}
        />
      )}
      {asking === 'edit' && <EditViews views={views} onClose={close} />}
    </>
  )
}
