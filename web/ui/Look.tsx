import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import '@mantine/core/styles/Input.css'
import 'virtual:tokens.css'
import './base.css'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { colorSchemes, cssVariables, theme } from './theme.ts'

/** Gives everything inside it the product's look, in the theme that was chosen. */
export function Look({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
    >
      {children}
    </MantineProvider>
  )
}
