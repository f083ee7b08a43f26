import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Me, Role } from '#contract/auth.ts'
import { isCovered } from '../ui/browser.ts'
import { shellWords } from '../words/shell.ts'
import { destinationsOf } from './destinations.ts'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Returns the palette's shortcut as labelled on the user's keyboard. */
export const commandK = () => (isApple ? shellWords.navigation.searchKeysApple : shellWords.navigation.searchKeys)

/** Milliseconds after 'g' in which the second key counts. */
const SECOND_KEY_MS = 1500

/** Returns whether keys without Ctrl or Cmd are enabled: unless the user has turned them off in the profile. */
export const hasSingleKeys = ({ preferences }: Pick<Me, 'preferences'>) => preferences.shortcuts !== false

type Opens = 'palette' | 'shortcuts'

/**
 * Handles the shortcuts of every page. Screens register nothing: their search field and add button have a
 * `data-shortcut`, and the sidebar's destinations define their letters.
 */
export function useShortcuts(user: Me, role: Role | undefined, open: (what: Opens) => void) {
  const router = useRouter()
  const pressedG = useRef(Number.NEGATIVE_INFINITY)
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return
    const key = keyOf(event)
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
    } else if (key === 'g' && !event.shiftKey) {
      pressedG.current = event.timeStamp
    } else if (afterG && !event.shiftKey) {
      const place = destinationsOf(role).main.find((one) => one.key === key)
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

/** Returns the Latin letter of a key whose layout has other letters: shortcuts are named in Latin ones. */
function keyOf({ key, code }: KeyboardEvent) {
  const isForeign = key.length === 1 && key > '~'
  return isForeign && code.startsWith('Key') ? code.slice(3).toLowerCase() : key.toLowerCase()
}

const isTypedInto = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
