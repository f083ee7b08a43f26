import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { signOut } from '../api.ts'
import { inSwitcherOrder, sameRole } from '../shared/roles.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { AccountIcon, KeyboardIcon, MoreIcon, SearchIcon, SignOutIcon } from '../ui/icons.tsx'
import { offeredHere } from '../ui/offers.tsx'
import { focusHeading } from '../ui/Page.tsx'
import { useDebounced } from '../ui/Picker.tsx'
import { basicWords } from '../words/basic.ts'
import { formWords } from '../words/forms.ts'
import { paletteWords } from '../words/palette.ts'
import { pageWords, shellWords } from '../words/shell.ts'
import { switcherLabel, useMe, useRole, useSwitchRole } from './current.ts'
import styles from './Palette.module.css'
import {
  type FoundItems,
  findMatching,
  findRelated,
  type Item,
  paletteActions,
  palettePages,
  paletteParts,
  thingsFor,
} from './palette-items.ts'
import { accountQuery } from './queries.ts'
import { hasSingleKeys } from './shortcuts.ts'

type Props = { onClose: () => void; onShortcuts: () => void }

type Group = {
  heading: string
  items: readonly Item[]
  /** Results of an earlier text: visible, but keys no longer choose them. */
  outdated?: boolean
  more?: boolean
  failure?: string | undefined
}

/** Search for any page, action or thing from anywhere: typing narrows it, the arrows choose, Enter opens. */
export function Palette({ onClose, onShortcuts }: Props) {
  const id = useId()
  const router = useRouter()
  const role = useRole()
  const user = useMe()
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const wanted = typed.trim()
  const { groups, waiting } = useGroups(wanted, onShortcuts)
  const shown = groups.filter(({ items }) => items.length > 0)
  const choosable = shown.flatMap(({ items, outdated }) => (outdated ? [] : items))
  const at = Math.max(
    0,
    choosable.findIndex(({ key }) => key === chosen),
  )
  const active = choosable[at]
  const optionId = ({ key }: Item) => `${id}-${key.replaceAll(/\W/g, '-')}`
  const hasKeys = hasSingleKeys(user)

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the active option that moves
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.key])

  function open({ action }: Item) {
    onClose()
    if ('run' in action) return action.run()
    const isHere = router.buildLocation(action.go).pathname === router.state.location.pathname
    router.navigate(action.go)
    // On the same screen no new heading takes the focus; the dialog returns it first.
    if (isHere) requestAnimationFrame(() => focusHeading())
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const last = choosable.length - 1
    const next = {
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at === 0 ? last : at - 1,
      PageDown: Math.min(at + 5, last),
      PageUp: Math.max(at - 5, 0),
    }[event.key]
    if (next !== undefined) setChosen(choosable[next]?.key ?? null)
    if (event.key === 'Enter' && active) open(active)
    if (next !== undefined || event.key === 'Enter') event.preventDefault()
  }

  return (
    <Dialog palette heading={shellWords.navigation.search} onClose={onClose}>
      <div className={`row no-wrap gap-3 muted ${styles.field}`}>
        <SearchIcon />
        <input
          data-first-focus
          role="combobox"
          className="rest"
          aria-label={shellWords.navigation.search}
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active && optionId(active)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={200}
          placeholder={role ? paletteWords.placeholder : paletteWords.placeholderPages}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setChosen(null)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={paletteWords.results} className={styles.list}>
        {shown.map(({ heading, items, outdated, more }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a list of choices
          <div
            key={heading}
            role="group"
            aria-labelledby={`${id}-${heading}`}
            aria-busy={outdated || undefined}
            className={styles.group}
            data-dimmed={outdated || undefined}
          >
            <h3 id={`${id}-${heading}`} role="presentation" className="muted small">
              {heading}
            </h3>
            {items.map((item) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the input that owns the list
              <div
                key={item.key}
                id={optionId(item)}
                role="option"
                tabIndex={-1}
                aria-selected={item === active}
                data-active={item === active || undefined}
                className={`choice ${styles.option}`}
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => !outdated && setChosen(item.key)}
                onClick={() => open(item)}
              >
                <item.icon size={16} />
                <span className="wrap">{item.label}</span>
                {item.note && <span className={`rest ellipsis muted small ${styles.aside}`}>{item.note}</span>}
                {hasKeys && item.letter && (
                  <span className={`row no-wrap gap-1 ${styles.keys}`} aria-hidden="true">
                    <kbd>G</kbd>
                    <kbd>{item.letter.toUpperCase()}</kbd>
                  </span>
                )}
              </div>
            ))}
            {more && <p className="muted">{paletteWords.more}</p>}
          </div>
        ))}
      </div>
      <div role="status">
        {groups.map(
          ({ heading, failure }) =>
            failure && (
              <p key={heading} className={`muted ${styles.note}`}>
                {paletteWords.failed({ group: heading, why: failure })}
              </p>
            ),
        )}
        {waiting ? (
          <p className={`muted ${styles.note}`}>{basicWords.states.loading}</p>
        ) : shown.length === 0 ? (
          <p className={`muted ${styles.note}`}>{formWords.notFound}</p>
        ) : (
          wanted !== '' && <p className="visually-hidden">{paletteWords.found({ count: choosable.length })}</p>
        )}
      </div>
    </Dialog>
  )
}

/** Returns the matches of the text, in groups; `waiting`: results from the server are still loading. */
function useGroups(wanted: string, onShortcuts: () => void): { groups: Group[]; waiting: boolean } {
  const role = useRole()
  const search = useDebounced(wanted, 200)
  const accountId = role && role.type !== 'admin' ? role.accountId : ''
  const { data: of } = useQuery({ ...accountQuery(accountId), enabled: accountId !== '' })
  const things = thingsFor(of?.disabledAt ? undefined : role, wanted === '' ? '' : search)
  const partners = useQuery(things.partners)
  const leads = useQuery(things.leads)
  const payouts = useQuery(things.payouts)
  const accounts = useQuery(things.accounts)
  const others = useOtherActions(onShortcuts)
  const isOld = wanted !== search
  const found = (heading: string, { data, error, isPlaceholderData, isEnabled, isFetching }: Result): Group => ({
    heading,
    items: wanted !== '' && isEnabled && data ? data.items : [],
    outdated: isOld || isPlaceholderData,
    more: data?.more ?? false,
    failure: isEnabled && error && !isFetching ? error.message : undefined,
  })
  const answers = [partners, leads, payouts, accounts]
  const places = [...palettePages(role), ...(wanted ? paletteParts(role) : [])]
  const pages = findMatching(places, wanted)
  const [here] = useState(itemsHere)
  const actions = findMatching([...paletteActions(role, of), ...others], wanted)
  const isNamed = pages.length > 0 || actions.length > 0
  return {
    groups: [
      { heading: paletteWords.pages, items: isNamed ? pages : findRelated(places, wanted) },
      { heading: paletteWords.actions, items: [...findMatching(here, wanted), ...actions] },
      found(pageWords.accounts, accounts),
      found(pageWords.partners, partners),
      found(pageWords.leads, leads),
      found(pageWords.payouts, payouts),
    ],
    waiting: answers.some(({ isEnabled, isFetching }) => isEnabled && (isOld || isFetching)),
  }
}

/** Returns the actions on the thing whose page is open. */
const itemsHere = (): Item[] =>
  offeredHere().map(({ label, key: note, run = () => undefined }) => ({
    key: `here ${label}`,
    label,
    note,
    icon: MoreIcon,
    action: { run },
  }))

type Result = Pick<UseQueryResult<FoundItems>, 'data' | 'error' | 'isPlaceholderData' | 'isEnabled' | 'isFetching'>

/** Actions available to every user on every page. */
function useOtherActions(onShortcuts: () => void): Item[] {
  const switchTo = useSwitchRole()
  const { roles } = useMe()
  const role = useRole()
  const others = inSwitcherOrder(roles, switcherLabel).filter((other) => !sameRole(other, role))
  return [
    ...others.map((other) => ({
      key: JSON.stringify(other),
      label: shellWords.header.switchTo({ label: switcherLabel(other) }),
      icon: AccountIcon,
      action: { run: () => switchTo(other) },
    })),
    { key: 'shortcuts', label: shellWords.help.shortcuts, icon: KeyboardIcon, action: { run: onShortcuts } },
    { key: 'sign-out', label: shellWords.header.signOut, icon: SignOutIcon, action: { run: () => void signOut() } },
  ]
}
