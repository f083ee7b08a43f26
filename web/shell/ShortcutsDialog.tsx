import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Dialog } from '../ui/Dialog.tsx'
import { Message } from '../ui/Message.tsx'
import { paletteWords } from '../words/palette.ts'
import { shellWords } from '../words/shell.ts'
import { useMe, useRole } from './current.ts'
import { getLabel, listDestinations } from './destinations.ts'
import styles from './Palette.module.css'
import { commandK, hasSingleKeys } from './shortcuts.ts'

/** All shortcuts, and the setting for single keys. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const user = useMe()
  const places = listDestinations(useRole()).main.filter(({ key }) => key)
  return (
    <Dialog heading={shellWords.help.shortcuts} onClose={onClose}>
      {!hasSingleKeys(user) && (
        <Message
          kind="info"
          action={
            <Link to="/user/profile" onClick={onClose}>
              {paletteWords.keys.profile}
            </Link>
          }
        >
          {paletteWords.keys.off}
        </Message>
      )}
      <table aria-label={shellWords.help.shortcuts} className={styles.shortcuts}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{paletteWords.keys.what}</th>
            <th scope="col">{paletteWords.keys.key}</th>
          </tr>
        </thead>
        <tbody>
          <Row what={shellWords.navigation.search}>
            <kbd>{commandK()}</kbd>
          </Row>
          <Row what={paletteWords.keys.search}>
            <kbd>/</kbd>
          </Row>
          <Row what={paletteWords.keys.add}>
            <kbd>N</kbd>
          </Row>
          <Row what={paletteWords.keys.nextRow}>
            <kbd>J</kbd>
          </Row>
          <Row what={paletteWords.keys.previousRow}>
            <kbd>K</kbd>
          </Row>
          <Row what={paletteWords.keys.selectRow}>
            <kbd>X</kbd>
          </Row>
          <Row what={paletteWords.keys.openRow}>
            <kbd>{paletteWords.keys.enter}</kbd>
          </Row>
          {places.map((place) => (
            <Row key={place.to} what={paletteWords.keys.go({ page: getLabel(place) })}>
              <kbd>G</kbd> {paletteWords.keys.andThen} <kbd>{place.key?.toUpperCase()}</kbd>
            </Row>
          ))}
          <Row what={paletteWords.keys.help}>
            <kbd>?</kbd>
          </Row>
          <Row what={paletteWords.keys.close}>
            <kbd>{paletteWords.keys.escape}</kbd>
          </Row>
        </tbody>
      </table>
    </Dialog>
  )
}

const Row = ({ what, children }: { what: string; children: ReactNode }) => (
  <tr>
    <th scope="row">{what}</th>
    <td>{children}</td>
  </tr>
)
