process.env.RUNS ??= '12'
await import('./host-lives.test.ts')
