import type { ComponentProps, ReactNode } from 'react'
import { basicWords } from '../words/basic.ts'
import styles from './Button.module.css'
import { type Needed, usePermission } from './permissions.ts'
import { showToast } from './toasts.ts'

/** `remove` is for removing something that can be restored; it asks for confirmation. */
type Look = 'primary' | 'secondary' | 'quiet' | 'danger' | 'remove'

// No `title`: only a mouse would reveal it.
type Props = Omit<ComponentProps<'button'>, 'children' | 'color' | 'style' | 'title'> & {
  children: ReactNode
  look?: Look
  /** Work is under way: the button shows it and cannot be pressed. */
  busy?: boolean
  /** Why it cannot be pressed now: it stays focusable and shows the reason when focused or pressed. */
  cannot?: string | false | undefined
  icon?: ReactNode
  block?: boolean
  /** Height 28 px, for rows of tables. */
  small?: boolean
  /** The call it makes or leads to; without the right to it, there is no button. */
  needs?: Needed | undefined
}

export function Button({
  children,
  look = 'secondary',
  busy,
  icon,
  block,
  small,
  disabled,
  cannot,
  className,
  onClick,
  needs,
  ...rest
}: Props) {
  const may = usePermission()
  if (!may(needs)) return null
  return (
    <button
      type="button"
      className={[styles.button, styles[look], block && styles.block, small && styles.small, className]
        .filter(Boolean)
        .join(' ')}
      disabled={disabled || busy}
      {...rest}
      aria-disabled={cannot ? true : undefined}
      title={cannot || undefined}
      onClick={
        cannot
          ? (event) => {
              // a submit button, also by Enter in a field
              event.preventDefault()
              showToast(cannot, { failed: true })
            }
          : onClick
      }
    >
      {!busy && icon}
      <span className={styles.label}>{busy ? basicWords.states.wait : children}</span>
    </button>
  )
}

type IconProps = Omit<ComponentProps<'button'>, 'children'> & {
  label: string
  icon: ReactNode
  bordered?: boolean
  /** Size 28 px, for rows of tables. */
  small?: boolean
}

/** A square button that shows only an icon; `label` is its name, verb and object. */
export function IconButton({ label, icon, bordered, small, className, ...rest }: IconProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      data-small={small || undefined}
      className={[styles.icon, bordered && styles.bordered, className].filter(Boolean).join(' ')}
      {...rest}
    >
      {icon}
    </button>
  )
}
