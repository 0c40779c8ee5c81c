; The Windows installer: per user, without administrator rights, with complete uninstallation.
;
; package.py compiles it: it stages the files, writes files.nsh (macros that install and remove each file)
; and defines VERSION, FOUR_NUMBERS, SIZE_KB, ICON, OUTPUT, EXTENSIONS and, with ONNX Runtime, ONNXRUNTIME.
;
; Silent: Iron-Cropper-setup.exe /S [/PATH=yes] [/ONNXRUNTIME=no] [/MENU=no] [/D=C:\folder]      (/D last and without quotes)

Unicode true
Target amd64-unicode
SetCompressor /SOLID lzma
ManifestDPIAware true
RequestExecutionLevel user

!define NAME "Iron Cropper"
!define PROGRAM "iron-cropper.exe"
!define CLASSES "Software\Classes"
!define PROGID "IronCropper.Picture"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\IronCropper"
!define APP_PATH "Software\Microsoft\Windows\CurrentVersion\App Paths\${PROGRAM}"

Name "${NAME}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
BrandingText "${NAME} ${VERSION}"

VIProductVersion "${FOUR_NUMBERS}"
VIFileVersion "${FOUR_NUMBERS}"
VIAddVersionKey /LANG=1033 "ProductName" "${NAME}"
VIAddVersionKey /LANG=1033 "ProductVersion" "${VERSION}"
VIAddVersionKey /LANG=1033 "FileDescription" "${NAME} Setup"
VIAddVersionKey /LANG=1033 "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=1033 "CompanyName" "Iron Cropper contributors"
VIAddVersionKey /LANG=1033 "LegalCopyright" "MIT or Apache-2.0"

!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!include x64.nsh
!include StrFunc.nsh
${Using:StrFunc} StrStr
${Using:StrFunc} UnStrRep
!insertmacro GetParameters
!insertmacro GetOptions
; Macros PROGRAM_FILES, RUNTIME_FILES, and un.FILES, which removes all of them.
!include "${FILES}"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!define MUI_COMPONENTSPAGE_SMALLDESC
!define MUI_FINISHPAGE_RUN "$INSTDIR\${PROGRAM}"

!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES

!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "French"
!insertmacro MUI_LANGUAGE "Spanish"
!insertmacro MUI_LANGUAGE "Japanese"
!include "languages.nsh"

; A running program cannot be replaced or removed; it cannot be opened for writing either, which is tested here.
!macro WAIT_UNTIL_CLOSED
    retry:
    ${If} ${FileExists} "$INSTDIR\${PROGRAM}"
        ClearErrors
        FileOpen $0 "$INSTDIR\${PROGRAM}" a
        ${If} ${Errors}
            MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(IS_RUNNING)" /SD IDCANCEL IDRETRY retry
            SetErrorLevel 2
            Abort "$(IS_RUNNING)"
        ${EndIf}
        FileClose $0
    ${EndIf}
!macroend

; A command line option, "yes" or "no", selects the component.
!macro COMPONENT_OPTION OPTION SECTION
    ClearErrors
    ${GetOptions} $R0 "/${OPTION}=" $R1
    ${IfNot} ${Errors}
        ${If} $R1 == "yes"
            !insertmacro SelectSection ${SECTION}
        ${ElseIf} $R1 == "no"
            !insertmacro UnselectSection ${SECTION}
        ${EndIf}
    ${EndIf}
!macroend

Section "${NAME}" SECTION_PROGRAM
    SectionIn RO
    !insertmacro WAIT_UNTIL_CLOSED
    ; The uninstaller of the previous version removes its files from its folder.
    ReadRegStr $R2 HKCU "${UNINSTALL}" "InstallLocation"
    ${If} $R2 != ""
    ${AndIf} ${FileExists} "$R2\uninstall.exe"
        ExecWait '"$R2\uninstall.exe" /S _?=$R2' $R3
        ${If} $R3 <> 0
            SetErrorLevel 2
            Abort "$(IS_RUNNING)"
        ${EndIf}
        Delete "$R2\uninstall.exe"
        RMDir "$R2"
    ${EndIf}

    !insertmacro PROGRAM_FILES
    SetOutPath "$INSTDIR"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\${PROGRAM}" "" "$INSTDIR\${PROGRAM}" 0 SW_SHOWNORMAL "" "$(ABOUT)"

    WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "${NAME}"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\${PROGRAM},0"
    WriteRegStr HKCU "${UNINSTALL}" "Publisher" "Iron Cropper contributors"
    WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
    WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${SIZE_KB}
    WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
    WriteRegStr HKCU "${APP_PATH}" "" "$INSTDIR\${PROGRAM}"
SectionEnd

!macro OPENS_WITH EXTENSION
    WriteRegStr HKCU "${CLASSES}\Applications\${PROGRAM}\SupportedTypes" ".${EXTENSION}" ""
    WriteRegNone HKCU "${CLASSES}\.${EXTENSION}\OpenWithProgids" "${PROGID}"
!macroend

Section "$(MENU)" SECTION_MENU
    WriteRegStr HKCU "${CLASSES}\Directory\shell\IronCropper" "" "$(CROP_WITH)"
    WriteRegStr HKCU "${CLASSES}\Directory\shell\IronCropper" "Icon" "$INSTDIR\${PROGRAM},0"
    WriteRegStr HKCU "${CLASSES}\Directory\shell\IronCropper" "MultiSelectModel" "Single"
    WriteRegStr HKCU "${CLASSES}\Directory\shell\IronCropper\command" "" '"$INSTDIR\${PROGRAM}" "%1"'
    WriteRegStr HKCU "${CLASSES}\Applications\${PROGRAM}" "FriendlyAppName" "${NAME}"
    WriteRegStr HKCU "${CLASSES}\Applications\${PROGRAM}\DefaultIcon" "" "$INSTDIR\${PROGRAM},0"
    WriteRegStr HKCU "${CLASSES}\Applications\${PROGRAM}\shell\open\command" "" '"$INSTDIR\${PROGRAM}" "%1"'
    WriteRegStr HKCU "${CLASSES}\${PROGID}" "" "$(PICTURE)"
    WriteRegStr HKCU "${CLASSES}\${PROGID}" "FriendlyTypeName" "$(PICTURE)"
    WriteRegStr HKCU "${CLASSES}\${PROGID}\shell\open" "FriendlyAppName" "${NAME}"
    WriteRegStr HKCU "${CLASSES}\${PROGID}\shell\open\command" "" '"$INSTDIR\${PROGRAM}" "%1"'
    !insertmacro EACH_EXTENSION OPENS_WITH
    ; Several photos and folders open in one window.
    CreateShortcut "$SENDTO\${NAME}.lnk" "$INSTDIR\${PROGRAM}"
    ${RefreshShellIcons}
SectionEnd

!ifdef ONNXRUNTIME
Section "$(RUNTIME)" SECTION_RUNTIME
    !insertmacro RUNTIME_FILES
SectionEnd
!endif

; Off by default. A search path too long for this installer to read is left unchanged, never truncated.
Section /o "$(COMMAND_LINE)" SECTION_PATH
    ClearErrors
    ReadRegStr $R4 HKCU "Environment" "Path"
    ${If} ${Errors}
        ; An empty result means that there is no value, or that it is too long.
        StrCpy $R6 0
        ${Do}
            ClearErrors
            EnumRegValue $R5 HKCU "Environment" $R6
            ${If} ${Errors}
                ${ExitDo}
            ${EndIf}
            ${If} $R5 == "Path"
                DetailPrint "$(PATH_LEFT)"
                Goto done
            ${EndIf}
            IntOp $R6 $R6 + 1
        ${Loop}
        StrCpy $R4 ""
    ${EndIf}
    StrLen $R5 "$R4;$INSTDIR"
    ${If} $R5 >= ${NSIS_MAX_STRLEN}
        DetailPrint "$(PATH_LEFT)"
        Goto done
    ${EndIf}
    ${StrStr} $R5 ";$R4;" ";$INSTDIR;"
    ${If} $R5 == ""
        ${If} $R4 == ""
            StrCpy $R4 "$INSTDIR"
        ${Else}
            StrCpy $R4 "$R4;$INSTDIR"
        ${EndIf}
        WriteRegExpandStr HKCU "Environment" "Path" "$R4"
        SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=3000
    ${EndIf}
    WriteRegDWORD HKCU "${UNINSTALL}" "OnPath" 1
    done:
SectionEnd

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
    !insertmacro MUI_DESCRIPTION_TEXT ${SECTION_PROGRAM} "$(ABOUT)"
    !insertmacro MUI_DESCRIPTION_TEXT ${SECTION_MENU} "$(MENU_ABOUT)"
    !ifdef ONNXRUNTIME
    !insertmacro MUI_DESCRIPTION_TEXT ${SECTION_RUNTIME} "$(RUNTIME_ABOUT)"
    !endif
    !insertmacro MUI_DESCRIPTION_TEXT ${SECTION_PATH} "$(COMMAND_LINE_ABOUT)"
!insertmacro MUI_FUNCTION_DESCRIPTION_END

Function .onInit
    ${IfNot} ${RunningX64}
        MessageBox MB_OK|MB_ICONSTOP "$(NEEDS_64_BIT)" /SD IDOK
        Abort
    ${EndIf}
    ${GetParameters} $R0
    !insertmacro COMPONENT_OPTION "MENU" ${SECTION_MENU}
    !ifdef ONNXRUNTIME
    !insertmacro COMPONENT_OPTION "ONNXRUNTIME" ${SECTION_RUNTIME}
    !endif
    !insertmacro COMPONENT_OPTION "PATH" ${SECTION_PATH}
FunctionEnd

; Other programs and the user store values under these keys: a key is removed only if it has neither values nor subkeys.
!macro DELETE_KEY_IF_EMPTY KEY
    EnumRegKey $R9 HKCU "${KEY}" 0
    ClearErrors
    EnumRegValue $R8 HKCU "${KEY}" 0
    ${If} ${Errors}
    ${AndIf} $R9 == ""
        DeleteRegKey HKCU "${KEY}"
    ${EndIf}
!macroend

!macro UN.OPENS_WITH EXTENSION
    DeleteRegValue HKCU "${CLASSES}\.${EXTENSION}\OpenWithProgids" "${PROGID}"
    !insertmacro DELETE_KEY_IF_EMPTY "${CLASSES}\.${EXTENSION}\OpenWithProgids"
    !insertmacro DELETE_KEY_IF_EMPTY "${CLASSES}\.${EXTENSION}"
!macroend

; Removes the installed files one by one, and a folder only if it is empty: the user may have chosen an existing one.
; Settings and crops stay.
Section "Uninstall"
    !insertmacro WAIT_UNTIL_CLOSED
    ReadRegDWORD $R0 HKCU "${UNINSTALL}" "OnPath"
    ${If} $R0 = 1
        ClearErrors
        ReadRegStr $R4 HKCU "Environment" "Path"
        ${IfNot} ${Errors}
            ${UnStrRep} $R5 ";$R4;" ";$INSTDIR;" ";"
            ${If} $R5 != ";$R4;"
                StrCpy $R6 $R5 1
                ${If} $R6 == ";"
                    StrCpy $R5 $R5 "" 1
                ${EndIf}
                StrCpy $R6 $R5 1 -1
                ${If} $R6 == ";"
                    StrCpy $R5 $R5 -1
                ${EndIf}
                ${If} $R5 == ""
                    DeleteRegValue HKCU "Environment" "Path"
                ${Else}
                    WriteRegExpandStr HKCU "Environment" "Path" "$R5"
                ${EndIf}
                SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=3000
            ${EndIf}
        ${EndIf}
    ${EndIf}

    Delete "$SMPROGRAMS\${NAME}.lnk"
    Delete "$SENDTO\${NAME}.lnk"
    DeleteRegKey HKCU "${CLASSES}\Directory\shell\IronCropper"
    DeleteRegKey HKCU "${CLASSES}\Applications\${PROGRAM}"
    DeleteRegKey HKCU "${CLASSES}\${PROGID}"
    !insertmacro EACH_EXTENSION UN.OPENS_WITH
    DeleteRegKey HKCU "${APP_PATH}"
    ; Keys shared by all programs, which this installation may have created.
    !insertmacro DELETE_KEY_IF_EMPTY "${CLASSES}\Applications"
    !insertmacro DELETE_KEY_IF_EMPTY "${CLASSES}\Directory\shell"
    !insertmacro DELETE_KEY_IF_EMPTY "${CLASSES}\Directory"
    !insertmacro DELETE_KEY_IF_EMPTY "Software\Microsoft\Windows\CurrentVersion\App Paths"

    SetOutPath "$TEMP"
    !insertmacro un.FILES
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
    DeleteRegKey HKCU "${UNINSTALL}"
    !insertmacro DELETE_KEY_IF_EMPTY "Software\Microsoft\Windows\CurrentVersion\Uninstall"
    ${RefreshShellIcons}
SectionEnd
