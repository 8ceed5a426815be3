/** Names the folder at which a test has mounted a small disk for a program under Wine. */
export const smallDiskVariable = 'DRAWBRIDGE_TEST_SMALL_DISK';
