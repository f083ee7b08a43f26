import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CurrentUser, Role } from '#contract/auth.ts'
import { isTeam } from '../shared/roles.ts'
import { SearchIcon, UserIcon } from '../ui/icons.tsx'
import tones from '../ui/Tones.module.css'
import { shellWords } from '../words/shell.ts'
import { findPlace, getLabel, listDestinations } from './destinations.ts'
import { ProgramLogo } from './ProgramLogo.tsx'
import { RunningWork } from './RunningWork.tsx'
import styles from './Sidebar.module.css'
import { commandK } from './shortcuts.ts'

type Props = {
  role: Role | undefined
  user: Pick<CurrentUser, 'email' | 'environment'>
  className?: string
  /** The full logo instead of its mark. */
  full?: boolean
  /** The button that closes the drawer, next to the logo. */
  close?: ReactNode
  /** Opens the palette. */
  onSearch: () => void
}

/** The destinations of the role, and the signed-in user. */
export function Sidebar({ role, user, className, full, close, onSearch }: Props) {
  const { main, integrations } = listDestinations(role)
  return (
    <nav aria-label={shellWords.navigation.main} className={`screen-only ${styles.sidebar} ${className ?? ''}`}>
      <div className={`row no-wrap ${styles.top}`}>
        <Link to="/" className={styles.logo}>
          <ProgramLogo role={role} full={full} />
        </Link>
        {user.environment !== 'production' && (
          <span className={`small strong ${tones.waits} ${styles.environment}`}>
            {shellWords.navigation.environment[user.environment]}
          </span>
        )}
        {close}
      </div>
      <div className={styles.places}>
        <Places places={main} />
        {integrations.length > 0 && (
          <>
            <h2 className={`muted small ${styles.group}`}>{shellWords.navigation.integrations}</h2>
            <Places places={integrations} />
          </>
        )}
      </div>
      <div className={styles.bottom}>
        <button type="button" aria-haspopup="dialog" className={`choice ${styles.place}`} onClick={onSearch}>
          <SearchIcon />
          <span>{shellWords.navigation.search}</span>
          <small aria-hidden="true" className="muted whole to-end">
            {commandK()}
          </small>
        </button>
        {isTeam(role) && <RunningWork accountId={role.accountId} />}
        <Link to="/user/profile" className={`choice ${styles.place}`}>
          <UserIcon />
          <span className="ellipsis">{user.email}</span>
        </Link>
      </div>
    </nav>
  )
}

function Places({ places }: { places: ReturnType<typeof listDestinations>['main'] }) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const current = findPlace(places, path)
  return (
    <ul>
      {places.map((place) => (
        <li key={place.to}>
          <Link
            to={place.to}
            className={`choice ${styles.place}`}
            activeOptions={{ exact: true, includeSearch: false }}
            aria-current={place === current ? 'page' : undefined}
          >
            <place.icon />
            {getLabel(place)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
