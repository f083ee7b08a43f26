import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** A form may not be inside another one. */
export const OutsideForm = ({ children }: { children: ReactNode }) => createPortal(children, document.body)
