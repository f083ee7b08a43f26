import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Dialog } from '../ui/Dialog.tsx'
import { Message } from '../ui/Message.tsx'
import { t } from '../words.ts'
import { useMe, useRole } from './current.ts'
import { destinationsOf } from './destinations.ts'
import styles from './Palette.module.css'
import { commandK, hasSingleKeys } from './shortcuts.ts'

/** All shortcuts, and the setting for single keys. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const user = useMe()
  const places = destinationsOf(useRole()).main.filter(({ key }) => key)
  return (
    <Dialog heading={t('palette.keys.heading')} onClose={onClose}>
      {!hasSingleKeys(user) && (
        <Message
          kind="info"
          action={
            <Link to="/user/profile" onClick={onClose}>
              {t('palette.keys.profile')}
            </Link>
          }
        >
          {t('palette.keys.off')}
        </Message>
      )}
      <table aria-label={t('palette.keys.heading')} className={styles.shortcuts}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t('palette.keys.what')}</th>
            <th scope="col">{t('palette.keys.key')}</th>
          </tr>
        </thead>
        <tbody>
          <Row what={t('navigation.search')}>
            <kbd>{commandK()}</kbd>
          </Row>
          <Row what={t('palette.keys.search')}>
            <kbd>/</kbd>
          </Row>
          <Row what={t('palette.keys.add')}>
            <kbd>N</kbd>
          </Row>
          {places.map(({ to, label, key }) => (
            <Row key={to} what={t('palette.keys.go', { page: t(label) })}>
              <kbd>G</kbd> {t('palette.keys.andThen')} <kbd>{key?.toUpperCase()}</kbd>
            </Row>
          ))}
          <Row what={t('palette.keys.help')}>
            <kbd>?</kbd>
          </Row>
          <Row what={t('palette.keys.close')}>
            <kbd>{t('palette.keys.escape')}</kbd>
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
