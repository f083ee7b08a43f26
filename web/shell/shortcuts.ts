import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { CurrentUser, Role } from '#contract/auth.ts'
import { isCovered } from '../ui/browser.ts'
import { shellWords } from '../words/shell.ts'
import { listDestinations } from './destinations.ts'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Returns the palette's shortcut as labelled on the user's keyboard. */
export const commandK = () => (isApple ? shellWords.navigation.searchKeysApple : shellWords.navigation.searchKeys)

/** Milliseconds after 'g' in which the second key counts. */
const SECOND_KEY_MS = 1500

/** Returns whether keys without Ctrl or Cmd are enabled: unless the user has turned them off in the profile. */
export const hasSingleKeys = ({ preferences }: Pick<CurrentUser, 'preferences'>) => preferences.shortcuts !== false

type Opens = 'palette' | 'shortcuts'

/**
 * Handles the shortcuts of every page. Screens register nothing: their search field and add button have a
 * `data-shortcut`, and the sidebar's destinations define their letters.
 */
export function useShortcuts(user: CurrentUser, role: Role | undefined, open: (what: Opens) => void) {
  const router = useRouter()
  const pressedG = useRef(Number.NEGATIVE_INFINITY)
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const key = keyOf(event)
    if (event.repeat && key !== 'j' && key !== 'k') return
    if (key === 'k' && event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey) {
      event.preventDefault()
      if (!isCovered()) open('palette')
      return
    }
    const afterG = event.timeStamp - pressedG.current < SECOND_KEY_MS
    if (event.key !== 'Shift') pressedG.current = Number.NEGATIVE_INFINITY
    if (!hasSingleKeys(user) || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTypedInto(event.target) || isCovered()) return
    if (key === '?') {
      event.preventDefault()
      open('shortcuts')
    } else if (key === '/' || (key === 'n' && !afterG && !event.shiftKey)) {
      const wanted = document.querySelector<HTMLElement>(`main [data-shortcut="${key}"]`)
      if (!wanted) return
      event.preventDefault()
      if (wanted instanceof HTMLInputElement) wanted.select()
      else wanted.click()
    } else if ((key === 'j' || key === 'k' || key === 'x') && !event.shiftKey) {
      if (pressInList(key, event.target)) event.preventDefault()
    } else if (key === 'g' && !event.shiftKey) {
      pressedG.current = event.timeStamp
    } else if (afterG && !event.shiftKey) {
      const place = listDestinations(role).main.find((one) => one.key === key)
      if (!place) return
      event.preventDefault()
      router.navigate({ to: place.to })
    }
  })
  useEffect(() => {
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

/**
 * Moves the focus to the link of the next or previous row, or ticks the row that has the focus; on the page of one of a
 * list, opens its neighbor. Only while the focus is in the list or nowhere, so that no other control loses its keys.
 * Returns whether there was anything to do.
 */
function pressInList(key: 'j' | 'k' | 'x', target: EventTarget | null): boolean {
  const focused = target instanceof Element ? target : document.body
  const isNowhere = focused === document.body || focused.matches('main, h1')
  const neighbor = isNowhere && document.querySelector<HTMLElement>(`main [data-shortcut="${key}"]`)
  if (neighbor) {
    neighbor.click()
    return true
  }
  const list = focused.closest('main section')?.querySelector('[data-rows]') ?? null
  const rows = (list ?? (isNowhere ? document.querySelector('main [data-rows]') : null))?.querySelectorAll('tr')
  if (!rows) return false
  const at = [...rows].findIndex((row) => row.contains(focused))
  if (key === 'x') {
    const box = rows[at]?.querySelector<HTMLElement>('[data-tick] input')
    box?.click()
    return Boolean(box)
  }
  const step = key === 'j' ? 1 : -1
  for (let next = at + step; next >= 0 && next < rows.length; next += step) {
    const link = rows[next]?.querySelector<HTMLElement>('[data-first] a, [data-first] button')
    if (!link) continue
    link.focus()
    return true
  }
  return false
}

/** Returns the Latin letter of a key whose layout has other letters: shortcuts are named in Latin ones. */
function keyOf({ key, code }: KeyboardEvent) {
  const isForeign = key.length === 1 && key > '~'
  return isForeign && code.startsWith('Key') ? code.slice(3).toLowerCase() : key.toLowerCase()
}

const isTypedInto = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))
