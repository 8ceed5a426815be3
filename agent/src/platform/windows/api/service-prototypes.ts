/** The functions that install and run the agent as a service of Windows, in the notation of `prototypes.ts`. */

export const serviceKernelPrototypes = {
  CreateEventW: 'uintptr (void*, int, int, str16)',
  GetLastError: 'uint ()',
  LocalFree: 'uintptr (uintptr)',
  OpenEventW: 'uintptr (uint, int, str16)',
  OpenProcess: 'uintptr (uint, int, uint)',
  SetHandleInformation: 'int (uintptr, uint, uint)',
  SetEvent: 'int (uintptr)',
  WaitForMultipleObjects: 'uint (uint, void*, int, uint)',
  WaitForSingleObject: 'uint (uintptr, uint)',
} as const;

export const servicePrototypes = {
  ChangeServiceConfig2W: 'int (uintptr, uint, void*)',
  ChangeServiceConfigW: 'int (uintptr, uint, uint, uint, str16, str16, void*, str16, str16, str16, str16)',
  CloseServiceHandle: 'int (uintptr)',
  ControlService: 'int (uintptr, uint, void*)',
  ConvertSidToStringSidW: 'int (uintptr, void*)',
  ConvertStringSecurityDescriptorToSecurityDescriptorW: 'int (str16, uint, void*, void*)',
  CreateProcessAsUserW: 'int (uintptr, str16, void*, void*, void*, int, uint, uintptr, str16, void*, void*)',
  CreateServiceW:
    'uintptr (uintptr, str16, str16, uint, uint, uint, uint, str16, str16, void*, str16, str16, str16)',
  DeleteService: 'int (uintptr)',
  DuplicateTokenEx: 'int (uintptr, uint, void*, uint, uint, void*)',
  GetNamedSecurityInfoW: 'uint (str16, uint, uint, void*, void*, void*, void*, void*)',
  GetTokenInformation: 'int (uintptr, uint, void*, uint, void*)',
  OpenProcessToken: 'int (intptr, uint, void*)',
  OpenSCManagerW: 'uintptr (str16, str16, uint)',
  OpenServiceW: 'uintptr (uintptr, str16, uint)',
  QueryServiceConfig2W: 'int (uintptr, uint, void*, uint, void*)',
  QueryServiceStatus: 'int (uintptr, void*)',
  RegDeleteKeyValueW: 'uint (uintptr, str16, str16)',
  RegDeleteTreeW: 'uint (uintptr, str16)',
  RegSetKeyValueW: 'uint (uintptr, str16, str16, uint, void*, uint)',
  RegisterServiceCtrlHandlerExW: 'uintptr (str16, uintptr, uintptr)',
  SetFileSecurityW: 'int (str16, uint, uintptr)',
  SetServiceStatus: 'int (uintptr, void*)',
  SetTokenInformation: 'int (uintptr, uint, void*, uint)',
  StartServiceCtrlDispatcherW: 'int (void*)',
  StartServiceW: 'int (uintptr, uint, void*)',
} as const;
