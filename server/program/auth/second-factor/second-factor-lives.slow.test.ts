process.env.RUNS ??= '12'
await import('./second-factor-lives.test.ts')
