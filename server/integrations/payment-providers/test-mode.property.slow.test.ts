process.env.RUNS ??= '12'
await import('./test-mode.property.test.ts')
