/** All texts of the client's page, written for people who use it for the first time. */
import type { EndReason } from './lobby-connection.ts';

export const joinTexts = {
  product: 'Drawbridge',
  pageTitle: 'Get help',
  end: 'End',
  endTitle: 'End everything now',
  field: {
    title: 'Get help',
    label: 'Type the 9 digits you were given',
    hint: 'You can also paste them, or the whole link.',
    go: 'Continue',
  },
  start: {
    title: 'Somebody wants to help you',
    code: 'Your code',
    text: 'Continue only if you know who gave you this code, and asked for help yourself. Nobody sees anything before you allow it.',
    go: 'Continue',
    recorded: 'The session is recorded.',
    notRecorded: 'The session is not recorded. If your helper wants to record it, you are asked first.',
    other: 'I have another code',
  },
  tooOld: {
    title: 'This browser is too old',
    text: 'It cannot create the keys that protect you. Use a current version of Chrome, Edge, Firefox or Safari.',
  },
  joining: 'One moment…',
  lost: 'The connection was lost. It is being restored…',
  busy: 'Too many codes were tried from your network. Leave this page open. It tries again automatically in a moment…',
  invitedBy: 'You are invited by',
  waiting: 'Waiting for your helper. Leave this page open.',
  away: (names: string) => `The connection to ${names} was lost. Waiting for them to come back.`,
  connected: (names: string) => `${names} is connected`,
  connectedMany: (names: string) => `${names} are connected`,
  watching: (names: string) => `${names} sees your screen`,
  watchingMany: (names: string) => `${names} see your screen`,
  and: ' and ',
  options: {
    title: 'How do you want to be helped?',
    share: 'Show my screen',
    shareText:
      'Directly from this browser, with nothing to install. The other person can see your screen, write and talk with you, but cannot control anything.',
    shareDo: 'Share my screen from this browser',
    shareHint:
      'Your browser asks what to show. A small picture of it appears in the helper’s list at once; the screen itself only after you have allowed it.',
    shareNone: 'Your browser cannot share a screen. Use Chrome, Edge, Firefox or Safari on a computer.',
    program: 'Let somebody work on my computer',
    programText:
      'A small program gives full control: mouse, keyboard, files. It needs no installation, and nothing of it stays on your computer.',
    programDo: 'Show me how',
  },
  handheld: {
    title: 'To show a screen, use a computer',
    text: 'Phones and tablets cannot share their screen from a browser. Open this page on the computer that needs help, and type the code there. Here you can write with the person who helps you.',
  },
  sharing: {
    title: 'You are sharing your screen',
    text: 'The other person sees what you see in this picture. Keep this page open; you can use your computer as usual.',
    stop: 'Stop sharing',
    refused: 'Nothing was shared. Press the button again when you are ready.',
    picture: 'What you share',
    monitor: 'Shared screen',
  },
  people: {
    title: 'Who is connected',
    from: (address: string) => `from ${address}`,
    code: 'Safety code',
    codeHint: 'If the other person sees the same number, nobody intercepts the connection.',
    disconnect: 'Disconnect',
  },
  consent: {
    title: (name: string) => `Allow ${name} to connect?`,
    text: (name: string, address: string) =>
      `${name} (${address}) wants to see the screen you share and to write with you. You can end it at any time.`,
    allow: 'Allow',
    decline: 'Decline',
    tab: (name: string) => `${name} asks to connect`,
  },
  chat: {
    title: 'Messages',
    empty: 'No messages yet.',
    alone: 'You can write here as soon as somebody is connected.',
    field: 'Message',
    send: 'Send',
    you: 'You',
    client: 'Client',
  },
  call: {
    title: (name: string) => `${name} is calling you`,
    text: 'Do you want to talk? Your microphone is switched on when you accept.',
    accept: 'Accept',
    decline: 'Decline',
    talking: (name: string) => `You are talking with ${name}.`,
    mute: 'Mute',
    unmute: 'Unmute',
    hangUp: 'Hang up',
    busy: 'The person is in another call.',
    declined: 'The call was not answered.',
    noMicrophone: 'Your microphone could not be used.',
  },
  install: {
    title: (name: string) => `${name} asks for permanent access`,
    text: (message: string) =>
      `“${message}” With a program installed on this computer, the team can connect again later, even when nobody is here. You need a command that only they can give you.`,
    yes: 'Yes, show me the page',
    no: 'No',
    agreed: (address: string) =>
      `The person agrees. Give them the install command with an enrolment token. See ${address}`,
    declined: 'The person does not want permanent access.',
  },
  program: {
    title: 'Let somebody work on this computer',
    loading: 'Looking for the program…',
    none: 'This server does not offer the program yet. Share your screen from the browser instead.',
    otherSystem:
      'The program works on Linux and Windows. On this computer, share your screen from the browser instead.',
    windowsStep: 'Open PowerShell from the Start menu. The program for Windows is a beta, tested under Wine.',
    steps: [
      'Open a terminal.',
      'Copy this command, paste it there and press Enter:',
      'When your screen asks, press Allow.',
    ],
    copy: 'Copy',
    copied: 'Copied',
    hint: 'The program always shows who is connected. Press Ctrl+C in the terminal to end it. Nothing of it stays on your computer.',
    left: 'This page is no longer connected, and nobody sees your screen. Your helper waits until you have started the program.',
    back: 'Back',
  },
  unable: {
    notShared: 'The person has not shared a screen yet.',
    cannotShare: 'The person uses a phone or a browser that cannot share a screen.',
    cannotTalk: 'The person’s browser cannot make calls.',
    needsProgram: 'The person uses a browser. For this, they have to run the small program.',
  },
  state: {
    asking: 'The person is asked.',
    refused: 'The person did not agree.',
    ended: 'The person ended the session.',
    disconnected: 'The person ended the session.',
    switching: 'The client is switching to the program. The session continues when it has started.',
  },
  over: {
    thanks: 'Thank you!',
    thanksText:
      'Everything has ended. Nobody sees your screen or hears you any more. You can close this page.',
    again: 'Connect again',
  },
  ended: {
    unknown: {
      title: 'This code does not work',
      text: 'Check the 9 digits, or ask the person who gave them to you for new ones.',
    },
    closed: {
      title: 'Thank you!',
      text: 'The session was closed by the person who helped you. Nobody sees your screen any more; you can close this page.',
    },
    taken: {
      title: 'This code is in use',
      text: 'Somebody else has joined with it. If it was you in another browser or with the program, end it there first.',
    },
    replaced: {
      title: 'You continued in another window',
      text: 'This page was opened again in another window or tab. This one has ended and can be closed.',
    },
  } satisfies Record<EndReason, { title: string; text: string }>,
  tryAgain: 'Try again',
} as const;
