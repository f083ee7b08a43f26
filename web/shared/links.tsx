import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type Props = {
  /** Null if there is none. */
  id: string | null
  /** In normal weight, where it is not the row's own name. */
  plain?: boolean
  /** Text without one. */
  none?: string
  children: ReactNode
}

const classOf = (plain: boolean | undefined) => (plain ? 'plain' : undefined)
const None = ({ none }: Pick<Props, 'none'>) => <span className="muted">{none}</span>

/** Leads to a partner's page. */
export const ToPartner = ({ id, plain, none, children }: Props) =>
  id === null ? (
    <None none={none} />
  ) : (
    <Link to="/partners/$partnerId" params={{ partnerId: id }} className={classOf(plain)}>
      {children}
    </Link>
  )

/** Leads to a lead's page; `among` are the leads of the list, for its neighbors. */
export const ToLead = ({ id, plain, none, among, children }: Props & { among?: readonly string[] | undefined }) =>
  id === null ? (
    <None none={none} />
  ) : (
    <Link to="/leads/$leadId" params={{ leadId: id }} state={among && { among }} className={classOf(plain)}>
      {children}
    </Link>
  )
